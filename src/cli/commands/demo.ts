import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createAssistant } from '../../assistant/create-assistant.ts';
import type { AssistantEvent, AssistantResponse } from '../../assistant/types.ts';
import { createConfig, loadConfig } from '../../config/load-config.ts';
import type { GatewayConfig } from '../../config/types.ts';
import { ToolgateError } from '../../core/errors.ts';
import { resultText } from '../../core/result.ts';
import { createToolGate } from '../../gate/create-tool-gate.ts';
import { memoryStore } from '../../stores/memory.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import { safeDisplay } from '../../text/safe-display.ts';
import { plainDisplay, safeLine } from '../../text/safe-plain.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { startServers } from '../start-servers.ts';
import { bar } from '../table.ts';

const request =
  'Write our meeting notes to the file notes.md: "Ann leads the launch, it is on Friday". And remember that Ann leads it.';

/** `toolgate demo`: a whole conversation against real servers, with a model that follows a script. */
export function addDemoCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('demo')
    .description(
      'Play a scripted conversation against real MCP servers: selection, search, a write that waits, its approval. Needs no key.',
    )
    .option('--config <file>', 'servers to use (filesystem and memory among them); default: fetched with npx')
    .option('--files <directory>', 'the scratch folder that the filesystem server was given')
    .action(async (options: { readonly config?: string; readonly files?: string }) => end(await demo(options, io)));
}

async function demo(options: { readonly config?: string; readonly files?: string }, io: CommandIo): Promise<number> {
  const own = options.files === undefined ? await mkdtemp(join(tmpdir(), 'toolgate-demo-')) : undefined;
  const files = options.files ?? (own as string);
  const config =
    options.config === undefined
      ? fetchedServers(files, io)
      : (await loadConfig(options.config, { environment: io.environment })).config;
  const say = (text: string): void => io.stdout(`${text}\n`);
  say(`Starting ${config.servers.length} MCP servers …`);
  const servers = await startServers(config, io.signal, (status) => {
    if (status.state === 'ready') say(`  ✓ ${status.name}, ${status.tools} tools`);
    if (status.state === 'failed') say(`  ✗ ${status.name}: ${status.reason ?? 'failed'}`);
  });
  try {
    await play(servers.providers, files, say);
    return exitCodes.ok;
  } finally {
    await servers.close();
    if (own !== undefined) await rm(own, { recursive: true, force: true });
  }
}

async function play(
  providers: Parameters<typeof createToolGate>[0]['providers'],
  files: string,
  say: (text: string) => void,
): Promise<void> {
  const path = join(files, 'notes.md');
  await rm(path, { force: true });
  const model = scriptedModel([
    {
      text: 'I can write the file. For remembering I need another tool.',
      calls: [{ toolName: 'search_tools', input: { query: 'remember something in the knowledge graph' } }],
    },
    {
      text: 'Found it. Now both.',
      calls: [
        {
          toolName: 'create_entities',
          input: { entities: [{ name: 'Ann', entityType: 'person', observations: ['leads the launch'] }] },
        },
        { toolName: 'write_file', input: { path: 'notes.md', content: 'Ann leads the launch, it is on Friday.\n' } },
      ],
    },
    { text: 'Done: the notes are in notes.md, and I will remember that Ann leads the launch.' },
  ]);
  const gate = createToolGate({
    ...(providers === undefined ? {} : { providers }),
    selection: { maxTools: 5 },
    store: memoryStore(),
  });
  const assistant = createAssistant({ model: model as never, gate });
  say(`\n▌ user\n  ${request}`);
  let paused: AssistantResponse | undefined;
  for await (const event of assistant.stream(request, { conversation: 'demo' })) {
    tell(event, say);
    if (event.type === 'paused') paused = event.response;
  }
  const pauseId = paused?.pause?.id;
  if (pauseId === undefined)
    throw new ToolgateError('internal', 'The demo expected a call that waits; the servers do not offer what it needs.');
  const pause = await gate.confirmations.get(pauseId);
  say('\n▌ a person sees, and nothing has run yet');
  for (const call of pause?.calls ?? []) {
    say(
      `  ${call.key} ${safeLine(call.toolName)} of ${safeLine(call.server ?? 'the host')}: ${call.state}${call.reason === null ? '' : ` (${safeLine(call.reason)})`}`,
    );
    for (const line of plainDisplay(safeDisplay(call.effectiveArguments)).split('\n')) say(`      ${line}`);
  }
  const keys = (pause?.calls ?? []).filter(({ state }) => state === 'awaiting').map(({ key }) => key);
  const decisions = Object.fromEntries(keys.map((key) => [key, { type: 'approve' as const }]));
  const by = { principal: { id: 'demo-approver' }, via: 'program' };
  await gate.confirmations.decide(pauseId, decisions, by);
  say('\n▌ the person approves');
  for await (const event of assistant.resumeStream(pauseId)) tell(event, say);
  const [again] = await gate.confirmations.decide(pauseId, decisions, by);
  const replay = await gate.resume(pauseId);
  say('\n▌ the same approval delivered again');
  say(
    `  ${again?.answer ?? ''}; recorded outcomes: ${replay.outcomes.map(({ toolName, status }) => `${toolName} ${status}`).join(', ')}; nothing ran twice.`,
  );
  say(`\n▌ on disk\n  notes.md: ${JSON.stringify(await readFile(path, 'utf8'))}\n`);
}

function tell(event: AssistantEvent, say: (text: string) => void): void {
  if (event.type === 'selection') {
    const { entries, tokens } = event.report;
    const kept = entries.filter((entry) => entry.kept);
    say(
      `\n▌ toolgate shows ${kept.length} of ${entries.length} tools: ${tokens.all.toLocaleString('en')} → ${tokens.shown.toLocaleString('en')} tokens`,
    );
    const listed = kept.toSorted((a, b) => (b.probability ?? -1) - (a.probability ?? -1));
    for (const { name, probability, reason } of listed) {
      say(
        `  ${safeLine(name).padEnd(30)} ${bar(probability ?? 0, 10)} ${probability?.toFixed(3) ?? '     '}  ${reason}`,
      );
    }
  }
  if (event.type === 'reply') {
    say('\n▌ model');
    for (const part of typeof event.reply.content === 'string' ? [] : event.reply.content) {
      if (part.type === 'text') say(`  ${part.text ?? ''}`);
      if (part.type === 'tool-call') say(`  → ${part.toolName ?? ''} ${JSON.stringify(part.input)}`);
    }
  }
  if (event.type === 'outcome') {
    const [line = '', ...more] = resultText(event.outcome.result).trim().split('\n');
    const first = line.length > 100 ? `${line.slice(0, 100)} …` : line;
    say(
      `  ← ${event.outcome.toolName} ${event.outcome.status}: ${safeLine(first)}${more.length > 0 ? ` (${more.length} more lines)` : ''}`,
    );
  }
  if (event.type === 'paused') say(`  … waits for a person: ${event.toolCallIds.join(', ')}`);
}

function fetchedServers(files: string, io: CommandIo): GatewayConfig {
  const npx = (name: string, ...args: string[]): object => ({
    command: 'npx',
    args: ['-y', `@modelcontextprotocol/server-${name}`, ...args],
    trust: 'annotations',
  });
  return createConfig(
    {
      mcpServers: {
        everything: npx('everything'),
        filesystem: npx('filesystem', files),
        memory: { ...npx('memory'), env: { MEMORY_FILE_PATH: join(files, 'memory.jsonl') } },
        thinking: npx('sequential-thinking'),
      },
    },
    { environment: io.environment },
  );
}
