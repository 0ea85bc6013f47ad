import type { Confirmations, PauseFilter, PauseView } from '../confirm/types.ts';
import type { Principal } from '../core/principal.ts';

/** The four lists of the inbox. */
export interface InboxTab {
  readonly id: 'waiting' | 'running' | 'unknown' | 'done';
  readonly title: string;
  readonly heading: string;
  readonly nothing: string;
  readonly filter: PauseFilter;
}

export const inboxTabs: readonly InboxTab[] = [
  {
    id: 'waiting',
    title: 'Waiting',
    heading: 'Waiting for a decision',
    nothing: 'Nothing waits for a decision.',
    filter: { callStates: ['awaiting'] },
  },
  {
    id: 'running',
    title: 'Running',
    heading: 'Approved and running',
    nothing: 'Nothing is running.',
    filter: { callStates: ['approved', 'running'] },
  },
  {
    id: 'unknown',
    title: 'Unknown',
    heading: 'Started, and the end is not known',
    nothing: 'The end of every call is known.',
    filter: { callStates: ['unknown'] },
  },
  {
    id: 'done',
    title: 'Done',
    heading: 'Settled',
    nothing: 'Nothing has been settled yet.',
    filter: { state: 'settled' },
  },
];

export function tabOf(id: string | undefined): InboxTab {
  return inboxTabs.find((tab) => tab.id === id) ?? (inboxTabs[0] as InboxTab);
}

const pageSize = 50;
/** A filter by text looks at this many pauses of a page's worth at a time. */
const filterReach = 500;

/** One page of a list, for this principal's tenant only. A text filter looks through the newest 500. */
export async function listPauses(
  confirmations: Confirmations,
  principal: Principal,
  filter: PauseFilter,
  query: string,
  cursor: string | undefined,
): Promise<{ readonly items: readonly PauseView[]; readonly next?: string | undefined }> {
  const limit = query === '' ? pageSize : filterReach;
  const page = await confirmations.list({ ...filter, tenant: tenantOf(principal), limit, cursor });
  if (query === '') return page;
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const items = page.items.filter((pause) => {
    const text = searchText(pause);
    return words.every((word) => text.includes(word));
  });
  return { items, next: page.next };
}

/** How many requests have a call in each of the states that need somebody. Null: more than a page. */
export async function countPauses(
  confirmations: Confirmations,
  principal: Principal,
): Promise<Readonly<Record<'waiting' | 'running' | 'unknown', number | null>>> {
  const count = async (id: InboxTab['id']): Promise<number | null> => {
    const page = await confirmations.list({ ...tabOf(id).filter, tenant: tenantOf(principal), limit: pageSize });
    return page.next === undefined ? page.items.length : null;
  };
  const [waiting, running, unknown] = await Promise.all([count('waiting'), count('running'), count('unknown')]);
  return { waiting, running, unknown };
}

/** The pause, when it is of this principal's tenant; another tenant's is as good as absent. */
export async function getPause(
  confirmations: Confirmations,
  principal: Principal,
  id: string,
): Promise<PauseView | undefined> {
  const pause = await confirmations.get(id);
  return pause !== undefined && pause.identity.tenant === tenantOf(principal) ? pause : undefined;
}

function tenantOf(principal: Principal): string {
  return principal.tenant ?? '';
}

function searchText(pause: PauseView): string {
  const calls = pause.calls.flatMap((call) => [call.toolName, call.server ?? '', call.title ?? '']);
  return [pause.id, pause.identity.principal, pause.identity.conversation, ...calls].join('\n').toLowerCase();
}
