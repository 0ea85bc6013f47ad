import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { createConfig, startGateway } from '../../src/gateway/index.ts';
import type { ConfigInput, Gateway, GatewayOptions, ServerInput } from '../../src/gateway/index.ts';
import { memoryStore } from '../../src/stores/memory.ts';

const script = fileURLToPath(new URL('./fake-server.mjs', import.meta.url));

/** A tool of a server that says it only reads. */
export function readingTool(name: string, more: object = {}): object {
  return {
    name,
    description: `Reads ${name}.`,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    ...more,
  };
}

/** How the fake server is started with a behaviour. */
export function fakeServer(spec: object, more: ServerInput = {}): ServerInput {
  return { command: execPath, args: [script, JSON.stringify(spec)], trust: 'annotations', ...more };
}

/** A gateway in this process, in a directory of its own that goes with it. */
export async function startTestGateway(
  input: ConfigInput,
  options: GatewayOptions = {},
): Promise<Gateway & { readonly directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'toolgate-fake-'));
  const config = createConfig({ port: 0, holdMs: 0, stateDirectory: join(directory, 'state'), ...input });
  const gateway = await startGateway(config, { store: memoryStore(), ...options }).catch(async (error: unknown) => {
    await rm(directory, { recursive: true, force: true });
    throw error;
  });
  return {
    ...gateway,
    directory,
    async close() {
      await gateway.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A logger that keeps what it is told. */
export function keepingLogger(): {
  readonly lines: { level: string; message: string; details: Readonly<Record<string, unknown>> | undefined }[];
} & NonNullable<GatewayOptions['logger']> {
  const lines: { level: string; message: string; details: Readonly<Record<string, unknown>> | undefined }[] = [];
  const at =
    (level: string) =>
    (message: string, details?: Readonly<Record<string, unknown>>): void => {
      lines.push({ level, message, details });
    };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
