import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { ToolCallConfirmationRequiredError } from '../../src/core/errors.ts';
import { ToolCallingManager } from '../../src/confirm/manager.ts';
import { verifyAudit } from '../../src/confirm/verify-audit.ts';
import { cycleFaultPoints } from '../../src/testing/fault-points.ts';
import { countingTool, replyOf } from '../confirm/tools.ts';
import { openStore } from './open-store.ts';

/** What came of many children that were killed at every fault point. All but `kills` and `unknown` must be zero. */
export interface CrashReport {
  readonly kills: number;
  readonly doubleExecutions: number;
  /** Decisions that a child was told are recorded, and that are not. */
  readonly lostDecisions: number;
  /** Pauses that a child was told of, and that are not there. */
  readonly lostPauses: number;
  readonly illegalStates: number;
  /** Ended as unknown. */
  readonly unknown: number;
  /** Ended as unknown although no claim was open. */
  readonly wronglyUnknown: number;
  readonly auditProblems: number;
}

const child = join(fileURLToPath(new URL('.', import.meta.url)), 'crash-child.ts');
const claimWasOpen = new Set(['after:call-claimed', 'before:run', 'during:run', 'after:run', 'before:call-finished']);
const endStates = new Set(['succeeded', 'unknown']);

/** Kills children at every point, `perPoint` times each, all on one store, then goes on where they left off and counts. */
export async function crashTest(address: string, journal: string, perPoint: number): Promise<CrashReport> {
  const report = {
    kills: 0,
    doubleExecutions: 0,
    lostDecisions: 0,
    lostPauses: 0,
    illegalStates: 0,
    unknown: 0,
    wronglyUnknown: 0,
    auditProblems: 0,
  };
  // The schema exists before the first child, so that a kill hits the point that is meant.
  const store = openStore(address);
  await store.list({ limit: 1 });
  const jobs: { readonly point: string; readonly name: string; told: readonly string[] }[] = [];
  for (const point of cycleFaultPoints) {
    for (let round = 0; round < perPoint; round += 1) jobs.push({ point, name: `${point}#${round}`, told: [] });
  }
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const job = jobs[next];
      next += 1;
      if (job === undefined) return;
      const { signal, told } = await runChild([address, journal, job.point, job.name]);
      if (signal === 'SIGKILL') report.kills += 1;
      job.told = told;
    }
  };
  await Promise.all([worker(), worker()]);
  // The leases of the dead run out; long enough that a slow machine does not lose one while its process lives.
  await wait(4_100);

  const tool = countingTool('pay', { requiresConfirmation: true });
  const manager = new ToolCallingManager({ store, tools: [tool], leaseMs: 4_000 });
  const before = countLines(journal);
  for (const { point, name, told } of jobs) {
    const reply = { ...replyOf(['a', 'pay', { id: name }]), id: name };
    const conversation = { id: 'c', messages: [], tools: [tool], principal: { id: 'alice' } };
    const runs = tool.runs.length;
    const paused = told.find((line) => line.startsWith('paused '))?.slice(7);
    if (paused !== undefined && (await manager.confirmations.get(paused)) === undefined) report.lostPauses += 1;
    const first = await manager.executeToolCalls(conversation, reply).catch((error: unknown) => error);
    if (first instanceof ToolCallConfirmationRequiredError) {
      if (told.includes('decided')) report.lostDecisions += 1;
      await manager.confirmations.decide(
        first.pause?.id ?? '',
        { '0.a': { type: 'approve' } },
        { principal: { id: 'bob' } },
      );
    }
    const outcome = (await manager.executeToolCalls(conversation, reply)).outcomes[0];
    const again = (await manager.executeToolCalls(conversation, reply)).outcomes[0];
    const total = (before.get(name) ?? 0) + tool.runs.length - runs;
    if (total > 1) report.doubleExecutions += 1;
    if (outcome === undefined || !endStates.has(outcome.status) || JSON.stringify(outcome) !== JSON.stringify(again))
      report.illegalStates += 1;
    if (outcome?.status === 'succeeded' && total !== 1) report.illegalStates += 1;
    if (outcome?.status === 'unknown') {
      report.unknown += 1;
      if (!claimWasOpen.has(point)) report.wronglyUnknown += 1;
    }
  }
  report.auditProblems = (await verifyAudit(store)).problems.length;
  await store.close();
  return report;
}

function countLines(journal: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!existsSync(journal)) return counts;
  for (const line of readFileSync(journal, 'utf8').split('\n')) {
    const [name = ''] = line.split(' ');
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function runChild(
  args: readonly string[],
): Promise<{ readonly signal: NodeJS.Signals | null; readonly told: readonly string[] }> {
  return new Promise((resolve, reject) => {
    const process_ = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    process_.stdout.on('data', (data: Buffer) => (output += data.toString()));
    process_.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    process_.once('error', reject);
    process_.once('close', (code, signal) => {
      if (signal === null && code !== 0)
        reject(new Error(`The child for ${args[2]} ended with code ${code}: ${errors}`));
      else resolve({ signal, told: output.split('\n').filter((line) => line !== '') });
    });
  });
}
