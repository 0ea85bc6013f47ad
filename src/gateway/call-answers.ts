import { toolResultToMcp } from '../adapters/mcp.ts';
import type { CallView, PauseView } from '../confirm/types.ts';
import { isFinalCallState } from '../core/call-state.ts';
import type { JsonObject } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import { surfaceNames } from './surface.ts';

/** A result of `tools/call` as it goes out. */
export type McpResult = Record<string, unknown>;

/** One text, and the same as data where there is some. */
export function textAnswer(text: string, structured?: JsonObject): McpResult {
  return { content: [{ type: 'text', text }], ...(structured === undefined ? {} : { structuredContent: structured }) };
}

/** A failure that the model may read and mend. */
export function errorAnswer(text: string): McpResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The result of a call that has an end. Denials and failures are results with `isError`, never protocol errors. */
export function outcomeAnswer(outcome: Outcome): McpResult {
  const result = toolResultToMcp(outcome.result);
  const { note } = outcome;
  const told =
    note === undefined ? result : { ...result, content: [{ type: 'text', text: note }, ...outcome.result.content] };
  return outcome.status === 'succeeded' || outcome.status === 'responded' ? told : { ...told, isError: true };
}

/** What a call that waits is answered with: not a failure, and with everything needed to fetch the result. */
export function waitingAnswer(pause: PauseView, call: CallView, link: string): McpResult {
  const until = pause.expiresAt === null ? '' : ` It waits until ${new Date(pause.expiresAt).toISOString()}.`;
  const running = call.state === 'approved' || call.state === 'running';
  const text = running
    ? `The call of ${call.toolName} was approved and is running. Fetch its result with ${surfaceNames.confirmation}, id "${pause.id}". Do not repeat the call.`
    : `The call of ${call.toolName} waits for a person and has not run.${call.reason === null ? '' : ` Reason: ${call.reason}`} ` +
      `Tell the user to decide at ${link}.${until} Then fetch the result with ${surfaceNames.confirmation}, id "${pause.id}". Do not repeat the call.`;
  return textAnswer(text, {
    status: running ? 'running' : 'waiting',
    id: pause.id,
    tool: call.toolName,
    link,
    expiresAt: pause.expiresAt === null ? null : new Date(pause.expiresAt).toISOString(),
    next: { tool: surfaceNames.confirmation, arguments: { id: pause.id } },
  });
}

/** The call of a gateway pause: there is exactly one. */
export function onlyCall(pause: PauseView): CallView | undefined {
  return pause.calls[0];
}

/** True when the call has an end, or one that only a person can change. */
export function hasEnded(call: CallView): boolean {
  return call.outcome !== null && (isFinalCallState(call.state) || call.state === 'unknown');
}
