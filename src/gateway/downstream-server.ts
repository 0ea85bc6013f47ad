import type { CallToolResult, ListToolsResult, ServerContext } from '@modelcontextprotocol/server';
import type { RegisteredTool } from '../catalog/types.ts';
import { digestJson } from '../core/digest.ts';
import type { JsonObject } from '../core/json.ts';
import type { Principal } from '../core/principal.ts';
import { clientQuestions, elicitationAbility } from './client-questions.ts';
import type { ClientQuestionOptions } from './client-questions.ts';
import type { McpResult } from './call-answers.ts';
import { listTool } from './listed-tool.ts';
import type { LiveCalls } from './live-calls.ts';
import { PassThroughServer } from './pass-through-server.ts';
import { callSurface } from './surface-calls.ts';
import type { SurfaceOptions } from './surface-calls.ts';
import { confirmationEntry, fixedSurface, listInstructions, surfaceInstructions } from './surface.ts';
import type { ListedTool, SurfaceServer } from './surface.ts';
import type { CallHooks, ElicitationAnswer } from './types.ts';
import { packageVersion } from './version.ts';

/** In the `_meta` of a call of a listed tool: a call of its own, as `new` says it for the entries. */
const freshKey = 'toolgate/new';

/** What every connection of a client is served with. */
export interface DownstreamOptions extends SurfaceOptions, ClientQuestionOptions {
  readonly servers: readonly SurfaceServer[];
  /** Calls that go on while their client is asked something. */
  readonly live: LiveCalls;
  /** Whether the fixed tools are listed; else every tool is. */
  showsSurface(): Promise<boolean>;
  /** The same as far as it is known now. */
  listsEverything(): boolean;
  /** Whether a call of the tool may wait for a person. */
  mayWait(tool: RegisteredTool): boolean;
}

/** One MCP server for one connection (or one request, where the protocol has no connections). All share the same state. */
export function createDownstreamServer(principal: Principal, options: DownstreamOptions): PassThroughServer {
  const questions = clientQuestions(options);
  const server = new PassThroughServer(
    { name: 'toolgate', version: packageVersion },
    {
      capabilities: { tools: { listChanged: true } },
      instructions: options.listsEverything() ? listInstructions : surfaceInstructions,
      requestState: { verify: (state, context) => questions.verify(state, context) },
    },
  );
  server.setRequestHandler('tools/list', async () => {
    const tools = await listedTools(options);
    return { tools: [...tools], ttlMs: 60_000, cacheScope: 'private' } as unknown as ListToolsResult;
  });
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: args } = request.params;
    const hooks = hooksOf(context, server);
    const start = (own: CallHooks, signal: AbortSignal): Promise<McpResult> =>
      callSurface(
        {
          name,
          arguments: args,
          principal,
          fresh: context.mcpReq._meta?.[freshKey] === true,
          hooks: own,
          signal,
          ask: (standing, tool) => questions.ask(standing, tool, { context, server, principal }),
        },
        options,
      );
    const asksByAnswer = server.isModern() && elicitationAbility({ context, server }) !== undefined;
    const result = asksByAnswer
      ? await options.live.serve({
          context,
          digest: digestJson([name, args ?? {}]),
          hooks,
          mint: (state) => questions.mint(state),
          start,
        })
      : await start(hooks, context.mcpReq.signal);
    return result as CallToolResult;
  });
  return server;
}

/** What `tools/list` shows, in a stable order. */
export async function listedTools(options: DownstreamOptions): Promise<readonly ListedTool[]> {
  const catalogue = await options.tools.catalogue();
  const own = catalogue.tools
    .filter((tool: RegisteredTool) => options.isListed(tool))
    .map((tool) => listTool(tool, { mayWait: options.mayWait(tool) }));
  return (await options.showsSurface()) ? [...fixedSurface(options.servers), ...own] : [...own, confirmationEntry()];
}

/** What the request adds to the call: its `_meta`, its wish for progress, and its ability to ask the person. */
function hooksOf(context: ServerContext, server: PassThroughServer): CallHooks {
  const { _meta: meta, notify } = context.mcpReq;
  const token = meta?.progressToken;
  const { progressToken: _token, [freshKey]: _fresh, ...rest } = (meta ?? {}) as JsonObject;
  let last = -1;
  return {
    ...(Object.keys(rest).length === 0 ? {} : { meta: rest }),
    ...(context.sessionId === undefined ? {} : { session: context.sessionId }),
    ...(token === undefined
      ? {}
      : {
          progress: (update) => {
            // The protocol wants every value to be above the one before; two sources report here, one after the other.
            const progress = update.progress > last ? update.progress : last + 1;
            last = progress;
            const { total, message } = update;
            notify({
              method: 'notifications/progress',
              params: {
                progressToken: token,
                progress,
                ...(total === undefined || total < progress ? {} : { total }),
                ...(message === undefined ? {} : { message }),
              },
            }).catch(() => undefined);
          },
        }),
    ...(canElicit(server) ? { elicit: (params) => elicitDirectly(context, params) } : {}),
  };
}

function canElicit(server: PassThroughServer): boolean {
  // Since 2026-07-28 a server may not send requests; what stands behind is told that nobody answers.
  return !server.isModern() && server.getClientCapabilities()?.elicitation !== undefined;
}

async function elicitDirectly(context: ServerContext, params: JsonObject): Promise<ElicitationAnswer> {
  const answer = await context.mcpReq.elicitInput(
    params as unknown as Parameters<ServerContext['mcpReq']['elicitInput']>[0],
    { timeout: 600_000 },
  );
  return answer as ElicitationAnswer;
}
