import { resolve } from 'node:path';
import type { Command } from 'commander';
import { catalogueOf } from '../../catalog/catalogue-of.ts';
import type { Catalogue } from '../../catalog/types.ts';
import { loadConfig } from '../../config/load-config.ts';
import { compilePolicy } from '../../confirm/compile-policy.ts';
import type { CompiledPolicy } from '../../confirm/compile-policy.ts';
import { demandOf, isConfirm } from '../../confirm/verdict.ts';
import { isPlainObject } from '../../core/json.ts';
import { silentLogger } from '../../core/logger.ts';
import { policyRules } from '../../gateway/policy.ts';
import { safeLine } from '../../text/safe-plain.ts';
import { defaultConfigFile } from '../config-file.ts';
import { exitCodes } from '../io.ts';
import type { CommandIo } from '../io.ts';
import { readJsonLines } from '../read-json-lines.ts';
import { table } from '../table.ts';
import { readTools } from '../tool-sources.ts';

interface PolicyOptions {
  readonly calls: string;
  readonly config?: string;
  readonly tools?: string;
  readonly json?: boolean;
}

type Verdict = 'run' | 'ask' | 'deny' | 'invalid' | 'unknown';

interface Judged {
  readonly line: number;
  readonly tool: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** `toolgate policy test`: what would have asked, run and been denied. */
export function addPolicyCommand(program: Command, io: CommandIo, end: (code: number) => void): void {
  program
    .command('policy')
    .description('Try a policy before it counts.')
    .command('test')
    .description(
      'Put recorded calls to the policy of a configuration and say which would have asked, run, or been denied. Nothing is called.',
    )
    .requiredOption('--calls <file>', 'recorded calls, one JSON object a line: { "toolName": …, "input": … }')
    .option('--config <file>', `the configuration with the policy (default ${defaultConfigFile})`)
    .option('--tools <file>', "the tools' definitions; without it the configuration's servers are started and asked")
    .option('--json', 'as JSON')
    .action(async (options: PolicyOptions) => end(await test(options, io)));
}

async function test(options: PolicyOptions, io: CommandIo): Promise<number> {
  const file = resolve(io.directory, options.config ?? defaultConfigFile);
  const { config } = await loadConfig(file, { environment: io.environment });
  const definitions = await readTools(options.tools === undefined ? { config: file } : { tools: options.tools }, io);
  const catalogue = catalogueOf(definitions.map((definition) => ({ ...definition, execute: () => undefined })));
  const policy = compilePolicy(policyRules(config.policy), silentLogger);
  const judged: Judged[] = [];
  for (const { line, toolName, input } of readCalls(resolve(io.directory, options.calls))) {
    judged.push({ line, tool: toolName, ...(await judge(toolName, input, catalogue, policy)) });
  }
  const count = (verdict: Verdict): number => judged.filter((one) => one.verdict === verdict).length;
  const totals = {
    run: count('run'),
    ask: count('ask'),
    deny: count('deny'),
    invalid: count('invalid'),
    unknown: count('unknown'),
  };
  if (options.json === true) io.stdout(`${JSON.stringify({ calls: judged, totals }, null, 2)}\n`);
  else {
    io.stdout(
      table(
        [
          { title: 'line', align: 'right' },
          { title: 'tool', maximum: 40 },
          { title: 'would' },
          { title: 'why', maximum: Math.max(20, io.columns - 60) },
        ],
        judged.map(({ line, tool, verdict, reason }) => [String(line), safeLine(tool), verdict, safeLine(reason)]),
      ),
    );
    io.stdout(
      `${judged.length} calls: ${totals.run} would run, ${totals.ask} would ask, ${totals.deny} would be denied, ${totals.invalid} are invalid, ${totals.unknown} name no known tool.\n`,
    );
  }
  return exitCodes.ok;
}

async function judge(
  name: string,
  input: unknown,
  catalogue: Catalogue,
  policy: CompiledPolicy,
): Promise<Pick<Judged, 'verdict' | 'reason'>> {
  const tool = catalogue.get(name) ?? catalogue.resolve(name);
  if (tool === undefined) return { verdict: 'unknown', reason: 'no tool of this name' };
  const parsed = await tool.parse(input);
  if (!parsed.ok)
    return {
      verdict: 'invalid',
      reason: parsed.issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '),
    };
  const call = { key: '0.call', toolCallId: 'call', toolName: tool.name, arguments: parsed.value, tool };
  const { verdict } = await policy.judge(call, {
    key: '0.call',
    toolCallId: 'call',
    messages: [],
    attributes: {},
    signal: new AbortController().signal,
  });
  if (verdict === 'allow') return { verdict: 'run', reason: '' };
  if (isConfirm(verdict)) return { verdict: 'ask', reason: demandOf(verdict).reason ?? '' };
  return { verdict: 'deny', reason: typeof verdict === 'object' && 'deny' in verdict ? verdict.deny : '' };
}

function readCalls(file: string): { line: number; toolName: string; input: unknown }[] {
  return readJsonLines(file).map(({ value, line, wrong }) => {
    if (!isPlainObject(value)) throw wrong('a call is an object with toolName and input');
    const toolName = value['toolName'] ?? value['name'] ?? value['tool'];
    if (typeof toolName !== 'string') throw wrong('the call has no toolName');
    return { line, toolName, input: value['input'] ?? value['arguments'] ?? {} };
  });
}
