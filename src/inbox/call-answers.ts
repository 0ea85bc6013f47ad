import type { DecisionAnswer } from '../confirm/types.ts';

/** What became of one submitted decision, with what the person had typed when it was not accepted. */
export interface CallAnswer {
  readonly position: number;
  readonly answer: DecisionAnswer | { readonly answer: 'invalid'; readonly message: string };
  readonly typed?: { readonly arguments?: string; readonly result?: string; readonly message?: string } | undefined;
}
