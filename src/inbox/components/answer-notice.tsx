import type { JSX } from 'hono/jsx/jsx-runtime';
import { safeLine } from '../../text/safe-plain.ts';
import type { CallAnswer } from '../call-answers.ts';
import { makerName, relativeTime, stateWords } from '../words.ts';

/** Says on the card what became of the decision that was just sent. */
export function AnswerNotice({ answer, now }: { answer: CallAnswer; now: number }): JSX.Element {
  const said = answer.answer;
  if (said.answer === 'accepted') {
    return (
      <p class="notice good" role="status">
        Your decision is recorded: {stateWords[said.state].toLowerCase()}.
      </p>
    );
  }
  if (said.answer === 'already-decided') {
    const when = said.at === null ? '' : ` ${relativeTime(said.at, now)}`;
    return (
      <p class="notice doubt" role="alert">
        <strong>{said.by === null ? 'Too late.' : `Already decided by ${makerName(said.by)}${when}.`}</strong> It is{' '}
        {stateWords[said.state].toLowerCase()}. What you sent just now changed nothing.
      </p>
    );
  }
  return (
    <p class="notice bad" role="alert">
      <strong>{headlines[said.answer]}</strong> {safeLine(said.message)}
    </p>
  );
}

const headlines: Readonly<Record<'stale' | 'unknown' | 'invalid' | 'not-permitted', string>> = {
  stale: 'Not recorded: this is no longer what you saw. Look at it again and decide anew.',
  unknown: 'Not recorded: this call is not known here.',
  invalid: 'Not recorded: this cannot be used.',
  'not-permitted': 'Not recorded: you may not decide this call.',
};
