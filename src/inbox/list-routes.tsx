import type { Hono } from 'hono';
import { errorMessage } from '../core/errors.ts';
import { safeLine } from '../text/safe-plain.ts';
import { changesStream } from './changes-stream.ts';
import { countPauses, listPauses, tabOf } from './list-pauses.ts';
import { HistoryPage, historyStates } from './pages/history-page.tsx';
import { ListPage } from './pages/list-page.tsx';
import { ServersPage } from './pages/servers-page.tsx';
import { ToolsPage } from './pages/tools-page.tsx';
import type { InboxEnvironment, InboxParts } from './parts.ts';
import type { InboxTool } from './types.ts';

const longestQuery = 500;

/** The pages that only read: lists, history, tools, servers, and the stream of hints. */
export function addListRoutes(app: Hono<InboxEnvironment>, parts: InboxParts): void {
  const { options, clock, render, view } = parts;
  const { confirmations } = options;

  app.get('/', async (context) => {
    const principal = context.get('session').principal;
    const tab = tabOf(context.req.query('state'));
    const query = cleanQuery(context.req.query('q'));
    const [page, counts] = await Promise.all([
      listPauses(confirmations, principal, tab.filter, query, context.req.query('cursor')),
      countPauses(confirmations, principal),
    ]);
    return render(
      context,
      <ListPage context={view(context)} tab={tab} query={query} pauses={page.items} next={page.next} counts={counts} />,
    );
  });

  app.get('/history', async (context) => {
    const principal = context.get('session').principal;
    const query = cleanQuery(context.req.query('q'));
    const state = historyStates.find((name) => name === context.req.query('state')) ?? '';
    const filter = state === '' ? {} : { callStates: [state] };
    const page = await listPauses(confirmations, principal, filter, query, context.req.query('cursor'));
    return render(
      context,
      <HistoryPage context={view(context)} query={query} state={state} pauses={page.items} next={page.next} />,
    );
  });

  if (options.tools !== undefined || options.search !== undefined) {
    app.get('/tools', async (context) => {
      const principal = context.get('session').principal;
      const query = cleanQuery(context.req.query('q'));
      let tools: readonly InboxTool[] = [];
      let problem: string | undefined;
      try {
        tools =
          query === ''
            ? ((await options.tools?.(principal)) ?? [])
            : ((await options.search?.(query, principal)) ?? []);
      } catch (error) {
        problem = `The search failed: ${safeLine(errorMessage(error), { maxLength: 300 })}`;
      }
      return render(
        context,
        <ToolsPage
          context={view(context)}
          query={query}
          searchable={options.search !== undefined}
          tools={tools}
          problem={problem}
        />,
      );
    });
  }
  if (options.upstreams !== undefined) {
    app.get('/servers', async (context) => {
      const upstreams = (await options.upstreams?.(context.get('session').principal)) ?? [];
      return render(context, <ServersPage context={view(context)} upstreams={upstreams} />);
    });
  }
  const subscribe = options.subscribe?.bind(options);
  if (subscribe !== undefined) {
    app.get('/changes', (context) => changesStream(subscribe, clock, context.req.raw.signal));
  }
}

function cleanQuery(query: string | undefined): string {
  return (query ?? '').trim().slice(0, longestQuery);
}
