import { Client, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { ElicitResult, Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { ServerConfig } from '../config/types.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage, ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Logger } from '../core/logger.ts';
import type { ToolDefinition } from '../core/tool.ts';
import { RawResults } from './raw-results.ts';
import { startDeadline } from './call-deadline.ts';
import { ChildProcessTransport } from './child-process-transport.ts';
import type { CallHooks } from './types.ts';
import { createUpstreamTransport } from './upstream-transport.ts';
import { packageVersion } from './version.ts';

/** What a connection is made with. */
export interface ConnectionContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string>>;
  /** The era agreed on last time, so that a server is asked only once. */
  readonly knownEra?: 'legacy' | 'modern' | undefined;
  onListChanged(): void;
  onNoise(line: string, stream: 'stdout' | 'stderr'): void;
  redact(text: string): string;
  onClosed(reason: string): void;
}

const noLimit = 2_147_483_647;
/** A server that is silent on the question for its era for so long is taken for an older one. */
const probeMs = 5_000;
const anyResult = z.looseObject({});

/** One live connection to a server. Ends once; the owner makes a new one. */
export class UpstreamConnection {
  readonly client: Client;
  readonly #config: ServerConfig;
  readonly #context: ConnectionContext;
  readonly #transport: Transport;
  readonly #running = new Set<CallHooks>();
  #closing = false;
  #raw: RawResults | undefined;

  private constructor(
    config: ServerConfig,
    context: ConnectionContext,
    transport: Transport,
    mode: 'auto' | 'legacy' | { pin: string },
  ) {
    this.#config = config;
    this.#context = context;
    this.#transport = transport;
    this.client = new Client(
      { name: 'toolgate', version: packageVersion },
      {
        capabilities: { elicitation: { form: {}, url: {} } },
        versionNegotiation: { mode, probe: { timeoutMs: probeMs } },
      },
    );
    this.client.setNotificationHandler('notifications/tools/list_changed', () => context.onListChanged());
    this.client.setRequestHandler('elicitation/create', (request) => this.#elicit(request.params));
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client has no listeners, only this field
    this.client.onerror = (error) =>
      context.logger.debug('upstream error', { server: config.name, error: errorMessage(error) });
  }

  /** Connects, or throws `upstream-unavailable` with the reason. Nothing is left behind after a failure. */
  static async open(
    config: ServerConfig,
    context: ConnectionContext,
    signal: AbortSignal,
  ): Promise<UpstreamConnection> {
    const http = config.transport.type !== 'stdio';
    try {
      return await UpstreamConnection.#attempt(config, context, signal, chooseMode(config, context.knownEra), false);
    } catch (error) {
      if (signal.aborted) throw error;
      // A server that dies of a question it does not know, and one that has only the older HTTP transport, get a second try.
      if (config.transport.type === 'auto' && isClientError(error))
        return UpstreamConnection.#attempt(config, context, signal, 'legacy', true);
      if (
        !http &&
        config.protocol === 'auto' &&
        context.knownEra === undefined &&
        /negotiation/i.test(errorMessage(error))
      ) {
        return UpstreamConnection.#attempt(config, context, signal, 'legacy', false);
      }
      throw error;
    }
  }

  static async #attempt(
    config: ServerConfig,
    context: ConnectionContext,
    signal: AbortSignal,
    mode: 'auto' | 'legacy' | { pin: string },
    sse: boolean,
  ): Promise<UpstreamConnection> {
    const transport = createUpstreamTransport(config, context, sse);
    const connection = new UpstreamConnection(config, context, transport, mode);
    const limit = new AbortController();
    const onAbort = (): void => limit.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const { connectMs } = config.timeouts;
    const cancel =
      connectMs === null
        ? undefined
        : context.clock.schedule(connectMs, () =>
            limit.abort(
              new ToolgateError('timeout', `it did not answer within ${connectMs / 1_000} s (connectTimeoutMs)`, {
                data: { timeoutMs: connectMs },
              }),
            ),
          );
    try {
      await Promise.race([
        connection.client.connect(transport, { timeout: noLimit, signal: limit.signal }),
        rejectWhenAborted(limit.signal),
      ]);
    } catch (error) {
      connection.#closing = true;
      void transport.close().catch(() => undefined);
      throw unavailable(config, limit.signal.aborted ? limit.signal.reason : error, transport);
    } finally {
      cancel?.();
      signal.removeEventListener('abort', onAbort);
    }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client has no listeners, only this field
    connection.client.onclose = () => {
      if (!connection.#closing)
        context.onClosed(
          (transport instanceof ChildProcessTransport ? transport.ended : undefined) ?? 'the connection was closed',
        );
    };
    connection.#raw = new RawResults(transport);
    connection.#listen();
    return connection;
  }

  get era(): 'legacy' | 'modern' {
    return this.client.getProtocolEra() === 'modern' ? 'modern' : 'legacy';
  }

  /**
   * Runs a tool. The result comes back as it was, of whatever kind. Throws `timeout` naming the tool and the limit,
   * `upstream-failed` for a protocol error, `aborted` when the caller gave up; the server is told in each case.
   */
  async call(
    tool: ToolDefinition,
    args: unknown,
    hooks: CallHooks,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { name } = tool;
    const { callMs, callTotalMs } = this.#config.timeouts;
    const subject = `The tool ${name} of ${this.#config.name}`;
    const deadline = startDeadline(this.#context.clock, { idleMs: callMs, totalMs: callTotalMs, subject }, signal);
    const given = isPlainObject(args) ? { ...args } : {};
    const params = { name, arguments: given, ...(hooks.meta === undefined ? {} : { _meta: hooks.meta }) };
    const raw = this.#raw?.expect(given);
    this.#running.add(hooks);
    try {
      const options = {
        signal: deadline.signal,
        timeout: noLimit,
        // Always asked for: a server that reports progress is alive, whether or not the caller wants to know.
        onprogress: (update: Parameters<NonNullable<CallHooks['progress']>>[0]) => {
          deadline.alive();
          hooks.progress?.(update);
        },
      };
      const result = this.#mirrorsArguments(tool)
        ? await this.client.callTool(params, {
            ...options,
            toolDefinition: { name, inputSchema: tool.inputSchema as { type: 'object' } },
          })
        : await this.client.request({ method: 'tools/call', params }, anyResult, options);
      return raw?.value ?? result;
    } catch (error) {
      if (signal.aborted) throw new ToolgateError('aborted', `${subject} was cancelled.`, { cause: error });
      if (deadline.signal.aborted) throw deadline.signal.reason;
      throw callError(error, this.#config.name, subject);
    } finally {
      deadline.done();
      this.#running.delete(hooks);
      if (raw !== undefined) this.#raw?.forget(raw);
    }
  }

  /** Since 2026-07-28 a server over HTTP may want some arguments as headers, too; the client knows how, given the schema. */
  #mirrorsArguments(tool: ToolDefinition): boolean {
    return (
      this.era === 'modern' &&
      this.#config.transport.type !== 'stdio' &&
      JSON.stringify(tool.inputSchema).includes('"x-mcp-header"')
    );
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.client.close().catch(() => undefined);
    // Negotiation hands the transport over; close it also when the client no longer has it.
    await this.#transport.close().catch(() => undefined);
  }

  /** Older servers notify unasked; newer ones only on a subscription. */
  #listen(): void {
    if (this.era !== 'modern' || this.client.getServerCapabilities()?.tools?.listChanged !== true) return;
    this.client.listen({ toolsListChanged: true }).catch((error: unknown) => {
      this.#context.logger.debug('no change notices', { server: this.#config.name, error: errorMessage(error) });
    });
  }

  /**
   * A question in the middle of a call goes to the client whose call it is. The protocol does not say which that is, so with
   * two calls at once the question is cancelled rather than shown to the wrong person.
   */
  async #elicit(params: unknown): Promise<ElicitResult> {
    const able = [...this.#running].filter((hooks) => hooks.elicit !== undefined);
    const only = this.#running.size === 1 ? able[0] : undefined;
    if (only?.elicit === undefined || !isPlainObject(params)) return { action: 'cancel' };
    return (await only.elicit(params as Parameters<NonNullable<CallHooks['elicit']>>[0])) as ElicitResult;
  }
}

function chooseMode(config: ServerConfig, known: 'legacy' | 'modern' | undefined): 'auto' | 'legacy' | { pin: string } {
  if (config.protocol === 'modern') return { pin: '2026-07-28' };
  if (config.protocol === 'legacy' || config.transport.type === 'sse') return 'legacy';
  return known === 'legacy' ? 'legacy' : 'auto';
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function unavailable(config: ServerConfig, error: unknown, transport: Transport): ToolgateError {
  const ended = transport instanceof ChildProcessTransport ? transport.ended : undefined;
  const connection = causeOf(error);
  const reason = ended ?? (connection === undefined ? errorMessage(error) : `${errorMessage(error)} (${connection})`);
  return new ToolgateError('upstream-unavailable', reason, { data: { server: config.name }, cause: error });
}

/** `fetch failed` says nothing; what it was caused by does. */
function causeOf(error: unknown): string | undefined {
  let current = error instanceof Error ? error.cause : undefined;
  let text: string | undefined;
  for (let depth = 0; current instanceof Error && depth < 5; depth += 1) {
    const code = (current as { code?: unknown }).code;
    text = current.message === '' ? (typeof code === 'string' ? code : text) : current.message;
    current = current.cause;
  }
  return text;
}

function isClientError(error: unknown): boolean {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof SdkHttpError)
      return (
        current.status !== undefined &&
        current.status >= 400 &&
        current.status < 500 &&
        current.status !== 401 &&
        current.status !== 403
      );
  }
  return false;
}

/** True when a server said that it does not know the session: the call certainly did not run. */
export function isUnknownSession(error: unknown): boolean {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof SdkHttpError) return current.status === 404;
  }
  return false;
}

/** True when the way to the server broke: it may or may not have run the call, so it is never repeated. */
export function isConnectionLoss(error: unknown): boolean {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof TypeError && current.message === 'fetch failed') return true;
    if (
      current instanceof SdkError &&
      (current.code === SdkErrorCode.ConnectionClosed || current.code === SdkErrorCode.NotConnected)
    )
      return true;
  }
  return false;
}

function callError(error: unknown, server: string, subject: string): ToolgateError {
  const code = (error as { code?: unknown }).code;
  return new ToolgateError('upstream-failed', `${subject} could not be run: ${errorMessage(error)}`, {
    data: { server, ...(typeof code === 'number' || typeof code === 'string' ? { code } : {}) },
    cause: error,
  });
}
