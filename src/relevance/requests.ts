/** Verbs that people ask a tool for in the imperative, and that names of tools begin with. */
const actions = [
  'add|analy[sz]e|apply|arrange|ask|assess|assign|book|browse|buy|calculate|call|cancel|change|check|choose|classify|close|compare|compute',
  'connect|convert|copy|count|create|decode|decrypt|delete|describe|detect|determine|disable|discover|display|download|draw|edit|email|enable',
  'encode|encrypt|estimate|evaluate|execute|explain|extract|fetch|filter|find|format|generate|get|give|hash|help|identify|increase|inform',
  'invite|know|learn|list|locate|log|look|make|measure|merge|modify|monitor|move|navigate|notify|obtain|open|order|pay|perform|pick|plan|play',
  'plot|post|predict|prepare|print|provide|purchase|query|rate|read|recommend|record|register|remind|remove|rename|rent|reserve|retrieve',
  'return|review|run|save|scan|schedule|search|see|select|sell|send|set|share|show|solve|sort|split|start|stop|store|submit|suggest',
  'summari[sz]e|tell|test|text|track|transfer|translate|turn|update|upload|use|validate|verify|view|write',
].join('|');

const politeness =
  "(?:(?:i|we)(?:'d| would| also)?(?: like| want| need)?(?: to)?|to|please|can you|could you|finally)\\s+";

/** Ends of sentences, and joints after which another request may begin. */
const joints = new RegExp(
  [
    `(?<=[\\p{L}\\p{N}\\p{Pe}\\p{Pf}"'])[.!?;]+(?=\\s|$)`,
    '[\\u3002\\uff01\\uff1f\\uff1b]',
    '\\n+',
    ',?\\s+(?:and then|then|and also|also|additionally|furthermore|moreover|lastly|finally|next)\\b',
    ',\\s+and\\b',
    `,\\s+(?=(?:${actions})\\b)`,
    `,?\\s+(?:and|or|plus|but)\\s+(?=(?:${politeness})?(?:${actions})\\b)`,
  ].join('|'),
  'giu',
);

const action = new RegExp(`(?:^|[.!?;,]\\s+|\\b(?:and|then|also|to|please|you|me|or)\\s+)(?:${actions})\\b`, 'giu');

/** Cuts a message where another request may begin: "find a hotel and book it" asks for two things. Parts without a word are left out. */
export function splitRequests(text: string): string[] {
  return text.split(joints).filter((part) => part !== undefined && /[\p{L}\p{N}]/u.test(part));
}

/** How many verbs of a message stand where a request begins. */
export function countActions(text: string): number {
  return text.match(action)?.length ?? 0;
}
