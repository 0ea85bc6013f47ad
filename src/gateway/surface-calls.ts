import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import { errorMessage, isToolgateError, ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { Logger } from '../core/logger.ts';
import type { Principal } from '../core/principal.ts';
import { suggestWord } from '../config/suggest.ts';
import { errorAnswer, onlyCall, outcomeAnswer, textAnswer, waitingAnswer } from './call-answers.ts';
import type { McpResult } from './call-answers.ts';
import type { CallRunner } from './call-runner.ts';
import type { CallStanding } from './call-types.ts';
import { describeTool } from './describe-tool.ts';
import type { Metrics } from './metrics.ts';
import { entryOf, surfaceNames } from './surface.ts';
import { entryCovers, toolClass } from './tool-class.ts';
import type { ToolClass } from './tool-class.ts';
import type { ToolSource } from './tool-source.ts';
import type { CallHooks } from './types.ts';

/** What the surface stands on. */
export interface SurfaceOptions {
  readonly tools: ToolSource;
  readonly runner: CallRunner;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly holdMs: number;
  /** True when tools are listed under their own names and may be called so. */
  isListed(tool: RegisteredTool): boolean;
  /** Where a person decides about a pause. Carries no credential. */
  linkOf(pauseId: string): string;
  /** The server's state, for a tool that is missing because its server is. */
  missingServers(): readonly string[];
}

/** One `tools/call` of a client. */
export interface SurfaceCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly principal: Principal;
  /** A call of its own, for a tool under its own name. */
  readonly fresh?: boolean;
  readonly hooks: CallHooks;
  readonly signal: AbortSignal;
  /** Asks the client itself, where it can; undefined: wait as for everybody. */
  ask?(standing: Extract<CallStanding, { kind: 'waiting' }>, tool: RegisteredTool): Promise<McpResult | undefined>;
}

/** How long a call that was just decided may take before its client is told to fetch the result. */
const runHoldMs = 30_000;

const entries: ReadonlyMap<string, ToolClass> = new Map([
  [surfaceNames.read, 'read'],
  [surfaceNames.write, 'write'],
  [surfaceNames.destructive, 'destructive'],
]);

/** Answers a `tools/call`. Whatever is wrong with the call is a result with `isError`, so that the model can mend it. */
export async function callSurface(call: SurfaceCall, options: SurfaceOptions): Promise<McpResult> {
  try {
    if (call.name === surfaceNames.search) return await search(call, options);
    if (call.name === surfaceNames.describe) return await describe(call, options);
    if (call.name === surfaceNames.confirmation) return await confirmation(call, options);
    const entry = entries.get(call.name);
    const catalogue = await options.tools.catalogue();
    if (entry !== undefined) return await callThroughEntry(call, entry, catalogue, options);
    const tool = catalogue.get(call.name);
    if (tool === undefined || !options.isListed(tool)) return unknownTool(call.name, catalogue, options);
    // A tool under its own name has no argument of ours to say it with.
    return await run(tool, call.arguments, call.fresh === true, call, options);
  } catch (error) {
    if (call.signal.aborted) throw error;
    if (isToolgateError(error) && error.code !== 'internal' && error.code !== 'store-failed')
      return errorAnswer(error.message);
    options.logger.error('a call failed', { tool: call.name, error: errorMessage(error) });
    return errorAnswer('The gateway could not carry out this call. Its log says why.');
  }
}

async function search(call: SurfaceCall, options: SurfaceOptions): Promise<McpResult> {
  const args = readArguments(call.arguments, ['query', 'context', 'server', 'limit']);
  const query = readText(args, 'query');
  if (query === undefined || query.trim() === '') throw wrongArgument('query', 'a few words on what you want to do');
  const limit = args['limit'];
  if (limit !== undefined && (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > 50))
    throw wrongArgument('limit', 'a whole number from 1 to 50');
  const { hits, total, words } = await options.tools.search({
    query,
    context: readText(args, 'context'),
    server: readText(args, 'server'),
    limit: limit as number | undefined,
    signal: call.signal,
  });
  options.metrics.add('toolgate_searches_total', { found: hits.length > 0 ? 'yes' : 'no' });
  const described = hits.map((hit) => describeTool(hit.tool, { score: hit.score }));
  const missing = options.missingServers();
  const note =
    missing.length === 0
      ? ''
      : `\n\nNot reachable at the moment, so their tools may be missing: ${missing.join(', ')}.`;
  if (described.length === 0) {
    return textAnswer(`No tool fits ${JSON.stringify(query)}. ${words}${note}`, { tools: [], total });
  }
  const more =
    total > described.length
      ? `\n\n${total - described.length} more match; ask for more with limit, or search more closely.`
      : '';
  const lines = described.map(({ name, server, callWith, description, inputSchema }, index) => {
    const from = server === undefined ? '' : ` (server ${server})`;
    return `${index + 1}. ${name}${from}: call it with ${callWith}\n${description}\nArguments: ${JSON.stringify(inputSchema)}`;
  });
  return textAnswer(`${lines.join('\n\n')}${more}${note}`, { tools: described, total });
}

async function describe(call: SurfaceCall, options: SurfaceOptions): Promise<McpResult> {
  const name = readText(readArguments(call.arguments, ['name']), 'name');
  if (name === undefined) throw wrongArgument('name', 'the name of a tool');
  const catalogue = await options.tools.catalogue();
  const tool = catalogue.get(name) ?? catalogue.resolve(name);
  if (tool === undefined) return unknownTool(name, catalogue, options);
  const described = describeTool(tool, { full: true });
  return textAnswer(JSON.stringify(described, undefined, 2), described);
}

async function callThroughEntry(
  call: SurfaceCall,
  entry: ToolClass,
  catalogue: Catalogue,
  options: SurfaceOptions,
): Promise<McpResult> {
  const args = readArguments(call.arguments, ['name', 'arguments', 'new']);
  const name = readText(args, 'name');
  if (name === undefined) throw wrongArgument('name', 'the name of the tool to call');
  const fresh = args['new'];
  if (fresh !== undefined && typeof fresh !== 'boolean') throw wrongArgument('new', 'true or false');
  const tool = catalogue.get(name) ?? catalogue.resolve(name);
  if (tool === undefined) return unknownTool(name, catalogue, options);
  const kind = toolClass(tool.tool);
  if (!entryCovers(entry, kind)) {
    const because =
      kind === 'write'
        ? 'It changes something.'
        : tool.tool.annotations?.destructiveHint === true
          ? 'It may destroy or overwrite.'
          : 'Nobody trustworthy says that it does not destroy or overwrite.';
    return errorAnswer(
      `${tool.name} was not called: it cannot be called through ${entryOf(entry)}. ${because} Call it through ${entryOf(kind)}.`,
    );
  }
  return run(tool, args['arguments'], fresh === true, call, options);
}

async function run(
  tool: RegisteredTool,
  args: unknown,
  fresh: boolean,
  call: SurfaceCall,
  options: SurfaceOptions,
): Promise<McpResult> {
  const { runner, metrics } = options;
  let standing = await runner.call({
    tool,
    arguments: args,
    principal: call.principal,
    fresh,
    hooks: call.hooks,
    signal: call.signal,
  });
  if (standing.kind === 'waiting') {
    const asked = await call.ask?.(standing, tool);
    if (asked !== undefined) return asked;
    const { id } = standing.pause;
    const wait = { holdMs: options.holdMs, runMs: runHoldMs, words: waitingWords(id, options) };
    standing = await runner.hold(id, wait, call.hooks, call.signal);
  }
  metrics.add('toolgate_calls_total', { status: standing.kind === 'ended' ? standing.outcome.status : 'waiting' });
  return answerOf(standing, options);
}

async function confirmation(call: SurfaceCall, options: SurfaceOptions): Promise<McpResult> {
  const args = readArguments(call.arguments, ['id', 'waitSeconds']);
  const id = readText(args, 'id');
  if (id === undefined) throw wrongArgument('id', 'the id that the waiting call gave');
  const wait = args['waitSeconds'] ?? 0;
  if (typeof wait !== 'number' || !(wait >= 0) || wait > 45)
    throw wrongArgument('waitSeconds', 'a number from 0 to 45');
  const pause = await options.runner.confirmations.get(id);
  // Another caller's confirmation looks exactly like one that does not exist.
  if (
    pause === undefined ||
    pause.identity.principal !== call.principal.id ||
    pause.identity.tenant !== (call.principal.tenant ?? '')
  ) {
    return errorAnswer(`There is no confirmation with the id ${JSON.stringify(id)}. Nothing was run.`);
  }
  const milliseconds = wait * 1_000;
  return answerOf(
    await options.runner.hold(
      id,
      { holdMs: milliseconds, runMs: milliseconds, words: waitingWords(id, options) },
      call.hooks,
      call.signal,
    ),
    options,
  );
}

function waitingWords(id: string, options: SurfaceOptions): string {
  return `Waiting for a decision at ${options.linkOf(id)}`;
}

/** A standing as a result of `tools/call`. */
export function answerOf(standing: CallStanding, options: Pick<SurfaceOptions, 'linkOf'>): McpResult {
  if (standing.kind === 'ended') return outcomeAnswer(standing.outcome);
  const { pause } = standing;
  const call = onlyCall(pause);
  if (call === undefined) return errorAnswer(`The confirmation ${pause.id} holds no call.`);
  return waitingAnswer(pause, call, options.linkOf(pause.id));
}

function unknownTool(name: string, catalogue: Catalogue, options: SurfaceOptions): McpResult {
  const near = suggestWord(
    name,
    catalogue.tools.map((tool) => tool.name),
  );
  const missing = options.missingServers();
  return errorAnswer(
    `There is no tool ${JSON.stringify(name.slice(0, 100))}; nothing was run.${near === undefined ? '' : ` Did you mean ${near}?`} Find tools with ${surfaceNames.search}.` +
      (missing.length === 0 ? '' : ` Not reachable at the moment: ${missing.join(', ')}.`),
  );
}

function readArguments(value: unknown, known: readonly string[]): JsonObject {
  const args = value ?? {};
  if (!isPlainObject(args)) throw wrongArgument('', 'an object');
  for (const key of Object.keys(args)) {
    if (known.includes(key)) continue;
    const meant = suggestWord(key, known);
    throw new ToolgateError(
      'search-arguments',
      `The argument ${JSON.stringify(key)} is not known here${meant === undefined ? '' : `; did you mean ${meant}?`} Known: ${known.join(', ')}.`,
      { data: { argument: key } },
    );
  }
  return args as JsonObject;
}

function readText(args: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(args, key) ? args[key] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrongArgument(key, 'a text');
  return value;
}

function wrongArgument(key: string, expected: string): ToolgateError {
  return new ToolgateError(
    'search-arguments',
    `${key === '' ? 'The arguments are' : `The argument ${key} is`} missing or wrong: expected ${expected}. Nothing was run.`,
    { data: { argument: key } },
  );
}
