import type { IdSource } from '../core/ids.ts';
import type { OutboxMaker } from './apply-step.ts';
import type { OutboxRow, PauseRecord } from './records.ts';

/** Makes a message for a new pause, for each decided or ended call, and for the end of the pause. Names and states only, no arguments. */
export function makeOutbox(ids: IdSource): OutboxMaker {
  return (before, after) => {
    const rows: OutboxRow[] = [];
    const at = Math.max(after.createdAt, after.settledAt ?? 0);
    const add = (kind: string, body: OutboxRow['body']): void => {
      rows.push({
        id: ids.next('event'),
        pauseId: after.id,
        kind,
        createdAt: at,
        attempts: 0,
        dueAt: 0,
        state: 'due',
        body: { ...about(after), ...body },
      });
    };
    if (before === undefined) {
      const waiting = after.calls.filter((call) => call.state === 'awaiting');
      add('pause.created', {
        waiting: waiting.map((call) => ({ key: call.key, tool: call.toolName })),
        expiresAt: after.expiresAt,
      });
      return rows;
    }
    for (const [index, call] of after.calls.entries()) {
      const was = before.calls[index]?.state;
      if (was === call.state || call.state === 'running') continue;
      add('call.changed', { key: call.key, tool: call.toolName, from: was ?? null, to: call.state });
    }
    if (before.state === 'open' && after.state === 'settled') add('pause.settled', {});
    return rows;
  };
}

function about(pause: PauseRecord): OutboxRow['body'] {
  const { tenant, principal, conversation, replyId } = pause.identity;
  return { pause: pause.id, tenant, principal, conversation, reply: replyId };
}
