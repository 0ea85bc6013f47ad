import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process, { execPath } from 'node:process';
import { expect, test } from 'vitest';
import { ChildProcessTransport } from './child-process-transport.ts';
import type { ChildProcessOptions } from './child-process-transport.ts';

function transportOf(
  code: string,
  more: Partial<ChildProcessOptions> = {},
): { transport: ChildProcessTransport; messages: unknown[]; noise: string[]; closed: Promise<void> } {
  const messages: unknown[] = [];
  const noise: string[] = [];
  const transport = new ChildProcessTransport({
    command: execPath,
    args: ['-e', code],
    env: { ONLY: 'this' },
    server: 's',
    graceMs: 300,
    onNoise: (line, stream) => noise.push(`${stream}: ${line.trim()}`),
    ...more,
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners, only these fields
  transport.onmessage = (message) => void messages.push(message);
  const closed = new Promise<void>((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners, only these fields
    transport.onclose = resolve;
  });
  return { transport, messages, noise, closed };
}

test('passes messages both ways and gives the child its own environment only', async () => {
  const code =
    "process.stdin.on('data', (data) => { const { id } = JSON.parse(data); console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { keys: Object.keys(process.env).filter((key) => !key.startsWith('__')) } })); process.exit(0); })";
  const { transport, messages, closed } = transportOf(code);
  await transport.start();
  expect(transport.pid).toBeGreaterThan(0);
  await transport.send({ jsonrpc: '2.0', id: 7, method: 'ping' });
  await closed;
  expect(messages).toEqual([{ jsonrpc: '2.0', id: 7, result: { keys: ['ONLY'] } }]);
  expect(transport.ended).toBe('the process ended with code 0');
  await expect(transport.send({ jsonrpc: '2.0', id: 8, method: 'ping' })).rejects.toMatchObject({
    code: 'upstream-unavailable',
  });
});

test('answers that stand together, and notices before them, come in order and all of them', async () => {
  const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
  const sent = [
    { id: 1, result: {} },
    { id: 2, result: {} },
    { method: 'notifications/progress' },
    { method: 'notifications/progress' },
    { id: 3, result: {} },
    { id: 4, result: {} },
  ];
  const { transport, messages, closed } = transportOf(
    `process.stdout.write(${JSON.stringify(`${sent.map(line).join('\n')}\n`)})`,
  );
  await transport.start();
  await closed;
  expect(messages).toEqual(sent.map((message) => ({ jsonrpc: '2.0', ...message })));
});

test('says how a process ended and what it last wrote', async () => {
  const { transport, closed, noise } = transportOf(
    "console.log('a banner'); console.error('no key given'); process.exit(4)",
  );
  await transport.start();
  await closed;
  expect(transport.ended).toBe('the process ended with code 4; its last words: no key given');
  expect(noise.toSorted((a, b) => a.localeCompare(b))).toEqual(['stderr: no key given', 'stdout: a banner']);
});

test('of a stack trace the message is kept, with its secrets hidden', async () => {
  const { transport, closed } = transportOf("throw new Error('no key s3cret here')", {
    redact: (text) => text.replaceAll('s3cret', '[hidden]'),
  });
  await transport.start();
  await closed;
  expect(transport.ended).toBe('the process ended with code 1; its last words: Error: no key [hidden] here');
});

test('GW-05 a program that is not there is named with where was searched', async () => {
  const { transport } = transportOf('', { command: 'no-such-program', env: { PATH: '/somewhere' } });
  await expect(transport.start()).rejects.toThrow(
    'the program "no-such-program" was not found (searched in PATH=/somewhere)',
  );
  await transport.close();
});

test('GW-22 a process that heeds nothing is killed', async () => {
  const { transport, messages, closed } = transportOf(
    `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(${JSON.stringify('{"jsonrpc":"2.0","method":"up"}')})`,
  );
  await transport.start();
  while (messages.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await transport.close();
  await closed;
  expect(transport.ended).toBe('the process was ended by SIGKILL');
  await transport.close();
});

test('GW-22 a host that ends by an exception takes its servers with it', async () => {
  const module = new URL('./child-process-transport.ts', import.meta.url).href;
  const server = "process.stdin.on('end', () => {}); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  const host = `
    const { ChildProcessTransport } = await import(${JSON.stringify(module)});
    const transport = new ChildProcessTransport({ command: process.execPath, args: ['-e', ${JSON.stringify(server)}], env: {}, server: 's' });
    await transport.start();
    console.log(transport.pid);
    setTimeout(() => { throw new Error('on purpose'); }, 50);
  `;
  const child = spawn(execPath, ['--input-type=module', '-e', host], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).not.toBe(0);
  const pid = Number(text.trim());
  expect(pid).toBeGreaterThan(0);
  const isThere = (): boolean => {
    try {
      process.kill(pid, 0);
      return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  const end = Date.now() + 5_000;
  while (isThere() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isThere()).toBe(false);
});
