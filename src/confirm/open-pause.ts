import { sleep } from '../core/clock.ts';
import { digestJson } from '../core/digest.ts';
import type { Digest } from '../core/digest.ts';
import type { Reply } from '../core/message.ts';
import type { CallState } from '../core/call-state.ts';
import { applySteps } from './apply-step.ts';
import { emptyChainHead } from './audit-chain.ts';
import type { AuditEntry } from './audit-chain.ts';
import { callContext } from './call-context.ts';
import type { ReplyContext } from './call-context.ts';
import { isIdempotent } from './default-policy.ts';
import type { ManagerSetup } from './manager-options.ts';
import { returnBehaviorOf } from './outcome-messages.ts';
import { callName } from './prepare-call.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { CallRecord, PauseRecord, ReplyIdentity } from './records.ts';
import { storedJson } from './stored-json.ts';
import type { PauseWrite } from './store-port.ts';

const previewTimeoutMs = 5_000;
const noTool: Digest = digestJson('no tool');

/** The first write of a pause: every call in the state its checks gave it, with the audit rows that say so. Written before anybody is told. */
export async function openPause(
  setup: ManagerSetup,
  context: ReplyContext,
  reply: Reply,
  identity: ReplyIdentity,
  prepared: readonly PreparedCall[],
  now: number,
  generation: number,
): Promise<PauseWrite> {
  const calls = await Promise.all(prepared.map((call) => callRecord(setup, context, call)));
  const expiresAt = setup.expiresInMs === null ? null : now + setup.expiresInMs;
  const blank: PauseRecord = {
    id: setup.ids.next('pause'),
    version: 0,
    identity,
    generation,
    principal: context.principal ?? null,
    path: context.path,
    createdAt: now,
    expiresAt,
    policyVersion: setup.policy.version,
    reply: storedJson(reply) as Reply,
    state: 'open',
    settledAt: null,
    dueAt: null,
    auditSequence: 0,
    auditHead: emptyChainHead,
    erased: false,
    calls: calls.map((call) => ({ ...call, state: 'proposed', outcome: null })),
  };
  const opening: AuditEntry = {
    kind: 'pause-created',
    key: null,
    body: { ...identity, generation, expiresAt, policyVersion: setup.policy.version, path: context.path },
  };
  const write = applySteps(
    blank,
    calls.map((call) => ({
      key: call.key,
      event: eventOf(call.state),
      set: { outcome: call.outcome },
      audit: proposedEntry(call),
    })),
    now,
    undefined,
    [opening],
  );
  return { ...write, outbox: setup.outbox?.(undefined, write.pause) ?? [] };
}

function eventOf(state: CallState): 'invalidate' | 'forbid' | 'free' | 'await' {
  return state === 'invalid' ? 'invalidate' : state === 'denied' ? 'forbid' : state === 'free' ? 'free' : 'await';
}

function proposedEntry(call: CallRecord): AuditEntry {
  return {
    kind: 'call-proposed',
    key: call.key,
    body: {
      state: call.state,
      tool: call.toolName,
      server: call.server?.identity ?? null,
      fingerprint: call.fingerprint,
      digest: call.digest,
      reason: call.reason,
    },
  };
}

async function callRecord(setup: ManagerSetup, context: ReplyContext, prepared: PreparedCall): Promise<CallRecord> {
  const { tool } = prepared;
  const name = callName(prepared.call);
  const run = prepared.kind === 'free' || prepared.kind === 'confirm' ? prepared : undefined;
  return {
    ...name,
    // The key starts with the call's place in the reply, also when only some of its calls are asked again.
    position: Number.parseInt(name.key, 10),
    server:
      tool?.tool.server === undefined ? null : { name: tool.tool.server.name, identity: tool.tool.server.identity },
    originalName: tool?.tool.name ?? name.toolName,
    title: tool?.definition.title ?? tool?.definition.annotations?.title ?? null,
    description: tool?.definition.description ?? null,
    annotations: tool?.definition.annotations ?? null,
    inputSchema: run?.kind === 'confirm' ? (tool?.definition.inputSchema ?? null) : null,
    returnBehavior: returnBehaviorOf(tool),
    idempotent: tool !== undefined && isIdempotent(tool.tool),
    fingerprint: tool?.fingerprint ?? noTool,
    digest: run?.digest ?? noTool,
    input: storedJson(prepared.call.part.input),
    proposed: storedJson(run === undefined ? prepared.call.part.input : run.arguments),
    reason: run?.demand.reason ?? null,
    demand: run?.kind === 'confirm' ? run.demand : null,
    preview: run?.kind === 'confirm' ? await previewOf(setup, context, run) : null,
    state: prepared.kind === 'confirm' ? 'awaiting' : prepared.kind,
    decision: null,
    approvals: [],
    rule: null,
    edited: null,
    fence: 0,
    claim: null,
    startedAt: null,
    runAgain: false,
    suspendedBy: null,
    outcome: 'outcome' in prepared ? prepared.outcome : null,
    late: null,
  };
}

/** What would happen, in the tool's own words; nothing when it cannot say so in time. */
async function previewOf(
  setup: ManagerSetup,
  context: ReplyContext,
  prepared: Extract<PreparedCall, { readonly arguments: unknown }>,
): Promise<string | null> {
  const { preview } = prepared.tool.tool;
  if (preview === undefined) return null;
  const done = new AbortController();
  try {
    const value = await Promise.race([
      Promise.resolve(preview(prepared.arguments as never, callContext(context, callName(prepared.call)))),
      sleep(setup.clock, previewTimeoutMs, done.signal).then(() => undefined),
    ]);
    if (value === undefined || value === null) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return null;
  } finally {
    done.abort(new Error('The preview is done.'));
  }
}
