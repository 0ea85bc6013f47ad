import { ToolgateError, errorMessage } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import { findRunningGateway } from '../gateway/process-lock.ts';
import { loadTokens } from '../gateway/tokens.ts';
import type { TokenRole } from '../gateway/tokens.ts';
import type { CommandIo } from './io.ts';
import { stateDirectoryOf } from './state-directory.ts';

/** Where a running gateway is and how to speak to it. */
export interface GatewayClientOptions {
  /** Address; default: what the state directory says. */
  readonly gateway?: string | undefined;
  /** Default: as the configuration here says, else `.toolgate`. */
  readonly state?: string | undefined;
}

/** A running gateway. */
export interface GatewayClient {
  readonly url: string;
  token(role: TokenRole): Promise<string>;
  /** Sends JSON and gives the answer's JSON. Throws with the gateway's own words. */
  request(role: TokenRole, method: string, path: string, body?: unknown): Promise<unknown>;
  /** The raw response, for streams. */
  open(role: TokenRole, path: string): Promise<Response>;
}

/** Finds the gateway that serves for a state directory. Throws `upstream-unavailable` with how to start one. */
export async function connectToGateway(options: GatewayClientOptions, io: CommandIo): Promise<GatewayClient> {
  const state = await stateDirectoryOf(options.state, io);
  const running = options.gateway === undefined ? await findRunningGateway(state) : undefined;
  const url = (options.gateway ?? running?.url)?.replace(/\/$/, '');
  if (url === undefined) {
    throw new ToolgateError(
      'upstream-unavailable',
      `No gateway runs for ${state}. Start one with "toolgate serve", or name it with --gateway and --state.`,
      {
        data: { server: state },
      },
    );
  }
  const token = async (role: TokenRole): Promise<string> =>
    io.environment[role === 'caller' ? 'TOOLGATE_TOKEN' : 'TOOLGATE_APPROVER_TOKEN'] ?? (await loadTokens(state))[role];
  const send = async (role: TokenRole, method: string, path: string, body?: unknown): Promise<Response> => {
    try {
      return await fetch(`${url}${path}`, {
        method,
        redirect: 'error',
        signal: io.signal,
        headers: {
          authorization: `Bearer ${await token(role)}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      if (io.signal.aborted) throw error;
      const cause =
        error instanceof Error && error.cause !== undefined ? errorMessage(error.cause) : errorMessage(error);
      throw new ToolgateError('upstream-unavailable', `The gateway at ${url} does not answer: ${cause}`, {
        data: { server: url },
        cause: error,
      });
    }
  };
  const open = async (role: TokenRole, method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await send(role, method, path, body);
    if (!response.ok) throw await refused(response, url);
    return response;
  };
  return {
    url,
    token,
    open: async (role, path) => await open(role, 'GET', path),
    request: async (role, method, path, body) => (await (await open(role, method, path, body)).json()) as unknown,
  };
}

async function refused(response: Response, url: string): Promise<ToolgateError> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    const inner: unknown = isPlainObject(body) ? (body['error'] ?? body) : undefined;
    if (isPlainObject(inner) && typeof inner['message'] === 'string') {
      return typeof inner['code'] === 'string'
        ? ToolgateError.fromJSON(inner)
        : new ToolgateError('upstream-failed', inner['message'], { data: { server: url } });
    }
  } catch {
    // Not JSON: the status says all there is.
  }
  return new ToolgateError(
    'upstream-failed',
    `The gateway at ${url} answered ${response.status} ${response.statusText}.`,
    { data: { server: url, code: response.status } },
  );
}
