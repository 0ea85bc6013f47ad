import type { Clock } from '../../src/core/clock.ts';
import type { ToolProvider, ToolProviderRequest } from '../../src/core/provider.ts';
import type { Tool, ToolServer } from '../../src/core/tool.ts';

/** Tools, providers and a request for the tests of the catalogue. */
export const emptySchema = { type: 'object', properties: {} } as const;

export function makeTool(name: string, more: Partial<Tool> = {}): Tool {
  return { name, inputSchema: emptySchema, execute: () => name, ...more };
}

export function serverOf(name: string, identity = `stdio:${name}`): ToolServer {
  return { name, identity };
}

export function serverTool(server: string, name: string, more: Partial<Tool> = {}): Tool {
  return makeTool(name, { server: serverOf(server), ...more });
}

export function providerOf(id: string, tools: readonly Tool[], more: Partial<ToolProvider> = {}): ToolProvider {
  return { id, provideTools: () => tools, ...more };
}

export function requestOf(more: Partial<ToolProviderRequest> = {}): ToolProviderRequest {
  const userMessage = { role: 'user', content: 'hello' };
  return {
    userMessage,
    messages: [userMessage],
    invocation: { id: 'i1', attributes: {} },
    signal: new AbortController().signal,
    ...more,
  };
}

/** A clock that fires its timers when told so. */
export function steppedClock(): Clock & { fire(): void; readonly pending: number } {
  const timers = new Set<() => void>();
  return {
    now: () => 0,
    schedule: (_milliseconds, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    fire: () => {
      const due = [...timers];
      for (const timer of due) {
        timers.delete(timer);
        timer();
      }
    },
    get pending() {
      return timers.size;
    },
  };
}
