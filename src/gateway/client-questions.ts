import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
} from '@modelcontextprotocol/server';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { RegisteredTool } from '../catalog/types.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { Principal } from '../core/principal.ts';
import { safeDisplay } from '../text/safe-display.ts';
import { plainDisplay } from '../text/safe-plain.ts';
import { onlyCall } from './call-answers.ts';
import type { McpResult } from './call-answers.ts';
import type { CallRunner } from './call-runner.ts';
import type { CallStanding } from './call-types.ts';
import type { PassThroughServer } from './pass-through-server.ts';
import { toolClass } from './tool-class.ts';

/** Whether and how the client itself is asked about a call that waits. */
export interface ClientQuestionOptions {
  readonly acceptIn: 'page' | 'client';
  readonly acceptDestructiveInClient: boolean;
  readonly runner: CallRunner;
  linkOf(pauseId: string): string;
  /** Seals what a client hands back; the same in every process of one gateway. */
  readonly stateKey: Uint8Array;
}

/** The request that is being answered. */
export interface AskingRequest {
  readonly context: ServerContext;
  readonly server: PassThroughServer;
  readonly principal: Principal;
}

/** The questions of one connection. */
export interface ClientQuestions {
  verify(state: string, context: ServerContext): unknown;
  /** Seals state that travels through the client. */
  mint(state: JsonObject): Promise<string>;
  /** What to answer the client with, or undefined to hold the call as for a client that cannot be asked. */
  ask(
    standing: Extract<CallStanding, { kind: 'waiting' }>,
    tool: RegisteredTool,
    request: AskingRequest,
  ): Promise<McpResult | undefined>;
}

interface AskedState {
  readonly pause: string;
  readonly mode: 'form' | 'url';
}

/**
 * Asks in the client where that counts (`acceptIn: 'client'`, and never for destructive tools by default), else gives it the
 * link to the page where the client can show one. Only an explicit yes of a form counts: a decline or a cancel is often the
 * client's own doing, so the call goes on waiting for a person.
 */
export function clientQuestions(options: ClientQuestionOptions): ClientQuestions {
  const codec = createRequestStateCodec({ key: options.stateKey, ttlSeconds: 3_600 });
  return {
    verify: (state, context) => codec.verify(state, context),
    mint: (state) => codec.mint(state),
    async ask(standing, tool, request) {
      const { pause } = standing;
      const call = onlyCall(pause);
      if (call?.state !== 'awaiting') return undefined;
      const asked = readState(request.context);
      if (asked?.pause === pause.id) {
        if (asked.mode === 'form' && accepted(request.context)) {
          await options.runner.decide(
            pause.id,
            { [call.key]: { type: 'approve', expected: call.digest } },
            { principal: request.principal, via: 'client' },
            0,
          );
        }
        return undefined;
      }
      const mode = questionMode(tool, request, options);
      if (mode === undefined) return undefined;
      const state: AskedState = { pause: pause.id, mode };
      const message =
        mode === 'url'
          ? `${call.toolName} waits for your decision. Open the page to see everything and decide.`
          : `Run ${call.toolName} with these arguments?\n${plainDisplay(safeDisplay(call.effectiveArguments))}`;
      const question =
        mode === 'url'
          ? inputRequired.elicitUrl({ message, url: options.linkOf(pause.id) })
          : inputRequired.elicit({
              message,
              requestedSchema: {
                type: 'object',
                properties: { decision: { type: 'string', title: 'Decision', enum: ['approve', 'keep waiting'] } },
                required: ['decision'],
              },
            });
      return inputRequired({
        inputRequests: { decision: question },
        requestState: await codec.mint(state),
      }) as unknown as McpResult;
    },
  };
}

function questionMode(
  tool: RegisteredTool,
  request: AskingRequest,
  options: ClientQuestionOptions,
): 'form' | 'url' | undefined {
  const ability = elicitationAbility(request);
  if (ability === undefined) return undefined;
  const counts =
    options.acceptIn === 'client' && (toolClass(tool.tool) !== 'destructive' || options.acceptDestructiveInClient);
  // A bare ability means forms: modes came later than elicitation itself.
  const form = isPlainObject(ability['form']) || Object.keys(ability).length === 0;
  if (counts && form) return 'form';
  return isPlainObject(ability['url']) ? 'url' : undefined;
}

/** What the client declares about asking its person; undefined: nothing. */
export function elicitationAbility({
  context,
  server,
}: Pick<AskingRequest, 'context' | 'server'>): Record<string, unknown> | undefined {
  const declared: unknown = server.isModern()
    ? (context.mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]
    : server.getClientCapabilities();
  if (!isPlainObject(declared) || !isPlainObject(declared['elicitation'])) return undefined;
  return declared['elicitation'];
}

function readState(context: ServerContext): AskedState | undefined {
  const state: unknown = context.mcpReq.requestState();
  if (!isPlainObject(state) || typeof state['pause'] !== 'string') return undefined;
  return { pause: state['pause'], mode: state['mode'] === 'form' ? 'form' : 'url' };
}

function accepted(context: ServerContext): boolean {
  const content: unknown = acceptedContent(context.mcpReq.inputResponses, 'decision');
  return isPlainObject(content) && content['decision'] === 'approve';
}
