import type { DecisionModelLimits, YesNoQuestion } from './port.ts';
import { usable } from './plan-batches.ts';
import { shortenText } from './shorten-text.ts';
import { estimateTokens, jsonStringBytes } from './text-size.ts';

/** What a question's texts take in a request. */
export interface QuestionSize {
  /** UTF-8 bytes as JSON strings. */
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
}

const sizes = new WeakMap<YesNoQuestion, QuestionSize>();
const shortened = new WeakMap<YesNoQuestion, Map<number, YesNoQuestion>>();

/** The size of a question, measured once for each question object. */
export function questionSize(question: YesNoQuestion): QuestionSize {
  const known = sizes.get(question);
  if (known !== undefined) return known;
  const texts = [question.text, question.yesWhen ?? '', question.noWhen ?? ''];
  const size = {
    bytes: texts.reduce((total, text) => total + jsonStringBytes(text), 0),
    tokens: texts.reduce((total, text) => total + estimateTokens(text), 0),
  };
  sizes.set(question, size);
  return size;
}

/** The question with its text cut so that it takes at most a third of the tokens and a quarter of the bytes the model accepts. */
export function fitQuestion(question: YesNoQuestion, limits: DecisionModelLimits): YesNoQuestion {
  const maxTokens = (usable(limits.maxInputTokens) ?? Number.POSITIVE_INFINITY) / 3;
  const maxBytes = (usable(limits.maxRequestBytes) ?? Number.POSITIVE_INFINITY) / 4;
  if (maxTokens === Number.POSITIVE_INFINITY && maxBytes === Number.POSITIVE_INFINITY) return question;
  const size = questionSize(question);
  const share = Math.min(maxTokens / size.tokens, maxBytes / size.bytes);
  if (share >= 1) return question;
  const length = Math.max(1, Math.floor(question.text.length * share));
  const made = shortened.get(question) ?? new Map<number, YesNoQuestion>();
  shortened.set(question, made);
  const before = made.get(length);
  if (before !== undefined) return before;
  // The share assumes an even text; an uneven one is cut once more to a length that is safe whatever it holds.
  let cut = { ...question, text: shortenText(question.text, length) };
  if (questionSize(cut).tokens > maxTokens || questionSize(cut).bytes > maxBytes) {
    cut = { ...question, text: shortenText(question.text, Math.max(1, Math.floor(Math.min(maxTokens, maxBytes / 6)))) };
  }
  made.set(length, cut);
  return cut;
}
