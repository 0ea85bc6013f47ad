import type { Conversation } from './conversation.ts';

/**
 * Signs in the last message, and in what it answers, that something or nothing is wanted. They are the same for every tool, so they move
 * how sure the model is and not the order.
 */
export interface NeedSignals {
  readonly thanks: number;
  readonly farewell: number;
  readonly finished: number;
  readonly agrees: number;
  readonly declines: number;
  readonly asks: number;
  readonly offeredMore: number;
  readonly askedToConfirm: number;
  readonly askedForDetail: number;
}

const thanks =
  /\b(thanks?|thank you|thx|cheers|appreciate|grateful|great help|very helpful|awesome job|good job|well done)\b/iu;
const farewell =
  /\b(bye|goodbye|good ?night|see you|take care|have a (?:good|great|nice|lovely|wonderful)|farewell|enjoy your)\b/iu;
const finished =
  /\b(that(?:'s| is|s)? (?:all|it|everything|enough)|that will be all|that'll be all|nothing (?:else|more|further)|no(?:thing)? more|i(?:'m| am) (?:good|done|all set|fine)|all (?:set|done)|not (?:right now|now|at the moment)|no,? (?:thanks|thank you)|that was all|is all i need(?:ed)?|no other|i don'?t need anything)\b/iu;
const agrees =
  /^\W*(yes|yeah|yep|yup|sure|ok|okay|correct|right|exactly|absolutely|certainly|of course|please do|go ahead|sounds? (?:good|great|fine|perfect)|that(?:'s| is) (?:right|correct|fine|good|perfect|great)|that works|perfect|confirmed?|alright|do it)\b/iu;
const declines = /^\W*(no|nope|nah|not really|never ?mind|don'?t|stop|cancel that)\b/iu;
const asks =
  /\?|\b(can|could|would|will) you\b|\b(?:i|we)(?:'d| would)? (?:like|want|need|wish|prefer)\b|\bi(?:'m| am) (?:looking|trying|searching|interested|planning|hoping)\b|\b(?:please|help me|let's|tell me|show me|give me|find|search|book|check|get|set|create|make|add|send|play|buy|order|reserve|schedule|calculate|what|which|when|where|who|how)\b/iu;
const offeredMore =
  /\b(anything else|something else|any(?:thing)? (?:other|more|further)|(?:help|assist) (?:you )?(?:with (?:any|some)|further|more)|what else|have a (?:good|great|nice|lovely|wonderful)|you(?:'re| are) welcome|enjoy your|glad (?:i|to)|my pleasure)\b/iu;
const askedToConfirm =
  /\b(confirm|is (?:that|this|it|everything) (?:correct|right|ok|okay|fine|good)|are (?:these|those|the details) (?:correct|right)|shall i|should i|do you want me|would you like(?: me)? to|want to (?:book|reserve|buy|go)|proceed|does that (?:work|sound))\b/iu;
const question = /\?\s*$/u;

/** Reads the signs. 0 or 1 each. */
export function readNeedSignals(conversation: Conversation): NeedSignals {
  const last = straight(conversation.last);
  const previous = conversation.before[0]?.role === 'assistant' ? straight(conversation.before[0].text) : '';
  const offered = offeredMore.test(previous);
  const confirm = askedToConfirm.test(previous);
  return {
    thanks: flag(thanks.test(last)),
    farewell: flag(farewell.test(last)),
    finished: flag(finished.test(last)),
    agrees: flag(agrees.test(last)),
    declines: flag(declines.test(last)),
    asks: flag(asks.test(last)),
    offeredMore: flag(offered),
    askedToConfirm: flag(confirm && !offered),
    askedForDetail: flag(question.test(previous) && !offered && !confirm),
  };
}

/** With straight apostrophes, as the patterns have them. */
function straight(text: string): string {
  return text.replaceAll('\u2019', "'");
}

function flag(value: boolean): number {
  return value ? 1 : 0;
}
