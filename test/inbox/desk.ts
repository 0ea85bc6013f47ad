import type { Hono } from 'hono';
import type { PolicyInput } from '../../src/confirm/compile-policy.ts';
import { ToolCallingManager } from '../../src/confirm/manager.ts';
import type { PauseView, ToolConversation } from '../../src/confirm/types.ts';
import { ToolCallConfirmationRequiredError } from '../../src/core/errors.ts';
import type { Reply } from '../../src/core/message.ts';
import type { Principal } from '../../src/core/principal.ts';
import type { Tool } from '../../src/core/tool.ts';
import { inboxRoutes } from '../../src/inbox/routes.tsx';
import type { InboxOptions } from '../../src/inbox/types.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { manualClock } from '../../src/testing/manual-clock.ts';
import type { ManualClock } from '../../src/testing/manual-clock.ts';

/** Tokens by who carries them: two approvers, one of another tenant. */
const approvers: Readonly<Record<string, Principal>> = {
  'Bearer lea-secret': { id: 'lea' },
  'Bearer tom-secret': { id: 'tom' },
  'Bearer eve-secret': { id: 'eve', tenant: 'other' },
};

export interface Desk {
  readonly app: Hono;
  readonly manager: ToolCallingManager;
  readonly clock: ManualClock;
  /** Arguments of every run of `write`, in order. */
  readonly runs: unknown[];
  readonly tools: readonly Tool[];
  /** Sends a reply that waits, and gives its pause. */
  pause(calls: readonly (readonly [name: string, input: unknown])[], id?: string): Promise<PauseView>;
  /** Runs what was decided, as the process with the tools does. */
  resume(pauseId: string): Promise<void>;
  /** Another process starts what was decided and dies before it ends. */
  lose(pauseId: string): Promise<void>;
  /** A browser that keeps cookies. */
  visitor(token?: string): Promise<Visitor>;
}

/** The pages over the real manager and the memory store, with a clock that stands still. */
export function desk(
  options: {
    policy?: PolicyInput;
    inbox?: Partial<InboxOptions>;
    expiresInMs?: number;
    grants?: readonly string[];
  } = {},
): Desk {
  const clock = manualClock();
  const runs: unknown[] = [];
  const makeTool = (name: string): Tool => ({
    name,
    description: `Does ${name}.`,
    requiresConfirmation: true,
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, size: { type: 'integer' } },
      required: ['path'],
    },
    execute: (args: never) => {
      runs.push(args);
      return `${name} done`;
    },
  });
  const tools = [makeTool('write'), makeTool('remove')];
  const store = memoryStore({ clock });
  const manager = new ToolCallingManager({
    store,
    clock,
    tools,
    canGrantRules: (by) => options.grants?.includes(by.principal.id) === true,
    ...(options.policy === undefined ? {} : { policy: options.policy }),
    ...(options.expiresInMs === undefined ? {} : { expiresInMs: options.expiresInMs }),
  });
  const app = inboxRoutes({
    confirmations: manager.confirmations,
    ...(options.grants === undefined ? {} : { rules: manager.rules }),
    authenticate: (request) => approvers[request.headers.get('authorization') ?? ''] ?? null,
    clock,
    secret: 'a secret of at least thirty-two bytes',
    ...options.inbox,
  });
  let replies = 0;
  return {
    app,
    manager,
    clock,
    runs,
    tools,
    pause: async (calls, id) => {
      replies += 1;
      const conversation: ToolConversation = {
        id: 'talk',
        messages: [{ role: 'user', content: 'Please.' }],
        tools,
        principal: { id: 'bot' },
      };
      const reply: Reply = {
        role: 'assistant',
        id: id ?? `reply-${replies}`,
        content: calls.map(([toolName, input], position) => ({
          type: 'tool-call',
          toolCallId: `c${position + 1}`,
          toolName,
          input,
        })),
      };
      try {
        await manager.executeToolCalls(conversation, reply);
      } catch (error) {
        if (!(error instanceof ToolCallConfirmationRequiredError)) throw error;
        return (await manager.confirmations.get(error.pause?.id ?? '')) as PauseView;
      }
      throw new Error('The reply did not wait.');
    },
    resume: async (pauseId) => {
      await manager.resume(pauseId);
    },
    lose: async (pauseId) => {
      // Its timers never fire, as those of a process that is gone.
      const gone = new ToolCallingManager({
        store,
        clock: { now: () => clock.now(), schedule: () => () => undefined },
      });
      await new Promise<void>((started) => {
        const execute = (): Promise<never> => {
          started();
          return new Promise(() => undefined);
        };
        void gone.resume(pauseId, { tools: tools.map((tool) => ({ ...tool, execute })) });
      });
      clock.advance(61_000);
    },
    visitor: (token) => signIn(app, token ?? 'lea-secret'),
  };
}

/** What a browser would do, without one. */
export interface Visitor {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Text of a page. */
  page(path: string): Promise<string>;
  post(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** Loads a pause's page and posts with its hidden fields, as pressing a button of its first card would. */
  press(path: string, fields: Readonly<Record<string, string | readonly string[]>>): Promise<Response>;
  readonly cookie: string;
}

const origin = 'http://localhost';

export async function signIn(app: Pick<Hono, 'request'>, token: string): Promise<Visitor> {
  const answer = await app.request('/login', {
    method: 'POST',
    body: new URLSearchParams({ token, next: '/' }),
    headers: { origin },
  });
  return visitorWith(app, answer.headers.get('set-cookie')?.split(';')[0] ?? '');
}

export function visitorWith(app: Pick<Hono, 'request'>, cookie: string): Visitor {
  const visitor: Visitor = {
    cookie,
    get: async (path, headers) => app.request(path, { headers: { cookie, ...headers } }),
    page: async (path) => (await visitor.get(path)).text(),
    post: async (path, fields, headers) => {
      const body = new URLSearchParams();
      for (const [name, values] of Object.entries(fields)) {
        for (const value of typeof values === 'string' ? [values] : values) body.append(name, value);
      }
      return app.request(path, { method: 'POST', body, headers: { cookie, origin, ...headers } });
    },
    press: async (path, fields) => {
      const page = await visitor.page(path);
      const hidden: Record<string, string> = {};
      for (const [, name, value] of page.matchAll(/<input type="hidden" name="(form|digest-\d+)" value="([^"]*)"/g)) {
        hidden[name as string] = value as string;
      }
      return visitor.post(`${path}/decide`, { ...hidden, ...fields });
    },
  };
  return visitor;
}
