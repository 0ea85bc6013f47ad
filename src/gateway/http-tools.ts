import { Hono } from 'hono';
import type { Message } from '../core/message.ts';
import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import { describeTool } from './describe-tool.ts';
import { badRequest, readJsonObject } from './http-errors.ts';
import type { ToolSource } from './tool-source.ts';

/** Chooses tools for a conversation; gives their exposed names in order and the report. */
export type SelectTools = (
  messages: readonly Message[],
  signal: AbortSignal,
) => Promise<{ readonly names: readonly string[]; readonly report: object }>;

/** What the routes stand on. */
export interface ToolRouteOptions {
  readonly tools: ToolSource;
  readonly select: SelectTools;
}

/** `/tools`, `/search` and `/select`, for agents in any language; mounted behind the caller's check. */
export function toolRoutes(options: ToolRouteOptions): Hono {
  const { tools } = options;
  const routes = new Hono();

  routes.get('/tools', async (c) => {
    const catalogue = await tools.catalogue();
    const server = c.req.query('server');
    const wanted = catalogue.tools.filter((tool) => server === undefined || tool.tool.server?.name === server);
    return c.json({
      fingerprint: catalogue.fingerprint,
      tools: wanted.map((tool) => ({
        ...describeTool(tool, { full: true }),
        fingerprint: tool.fingerprint,
        tokens: tool.tokens,
      })),
      problems: catalogue.problems,
    });
  });

  routes.get('/tools/:name', async (c) => {
    const catalogue = await tools.catalogue();
    const name = c.req.param('name');
    const tool = catalogue.get(name) ?? catalogue.resolve(name);
    if (tool === undefined)
      throw new ToolgateError('unknown-tool', `There is no tool ${JSON.stringify(name)}.`, { data: { tool: name } });
    return c.json({ ...describeTool(tool, { full: true }), fingerprint: tool.fingerprint, tokens: tool.tokens });
  });

  routes.on(['GET', 'POST'], '/search', async (c) => {
    const given: Record<string, unknown> = c.req.method === 'GET' ? readQuery(c.req.query()) : await readJsonObject(c);
    const { query, context, server, limit } = given;
    if (typeof query !== 'string' || query.trim() === '')
      throw badRequest('query must be a text that is not empty.', 'query');
    if (context !== undefined && typeof context !== 'string') throw badRequest('context must be a text.', 'context');
    if (server !== undefined && typeof server !== 'string')
      throw badRequest('server must be the name of a server.', 'server');
    if (limit !== undefined && (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > 50))
      throw badRequest('limit must be a whole number from 1 to 50.', 'limit');
    const { hits, total } = await tools.search({ query, context, server, limit, signal: c.req.raw.signal });
    return c.json({
      total,
      tools: hits.map((hit) => ({
        ...describeTool(hit.tool, { score: hit.score }),
        ...(hit.parts === undefined ? {} : { parts: hit.parts }),
      })),
    });
  });

  routes.post('/select', async (c) => {
    const body = await readJsonObject(c, 8_388_608);
    const messages = body['messages'];
    if (!Array.isArray(messages)) throw badRequest('messages must be a list of messages.', 'messages');
    messages.forEach((message: unknown, index) => {
      const usable =
        isPlainObject(message) &&
        typeof message['role'] === 'string' &&
        (typeof message['content'] === 'string' || Array.isArray(message['content']));
      if (!usable)
        throw badRequest(
          `messages[${index}] must have a role and a content (a text or a list of parts).`,
          `messages[${index}]`,
        );
    });
    const { names, report } = await options.select(messages as readonly Message[], c.req.raw.signal);
    const catalogue = await tools.catalogue();
    const selected = names.map((name) => catalogue.get(name)).filter((tool) => tool !== undefined);
    return c.json({ tools: selected.map((tool) => describeTool(tool)), report });
  });
  return routes;
}

function readQuery(query: Readonly<Record<string, string>>): Record<string, unknown> {
  const { limit, ...rest } = query;
  return { ...rest, ...(limit === undefined ? {} : { limit: Number(limit) }) };
}
