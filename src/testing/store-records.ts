import type { CallRecord, PauseRecord } from '../confirm/store-port.ts';

/** The fingerprint of the tools in these records. */
export const contractDigest: `sha256:${string}` = `sha256:${'0'.repeat(64)}`;

/** A call of a record, for tests of stores. */
export function contractCall(key: string, change: Partial<CallRecord> = {}): CallRecord {
  return {
    key,
    position: Number.parseInt(key, 10),
    toolCallId: key.slice(key.indexOf('.') + 1),
    toolName: 'wipe',
    server: null,
    originalName: 'wipe',
    title: null,
    description: null,
    annotations: null,
    inputSchema: null,
    returnBehavior: 'to-model',
    idempotent: false,
    fingerprint: contractDigest,
    digest: contractDigest,
    input: {},
    proposed: {},
    reason: null,
    preview: null,
    demand: null,
    state: 'awaiting',
    decision: null,
    approvals: [],
    rule: null,
    edited: null,
    fence: 0,
    claim: null,
    startedAt: null,
    runAgain: false,
    suspendedBy: null,
    outcome: null,
    late: null,
    ...change,
  };
}

/** A pause of version 1, for tests of stores. */
export function contractPause(id: string, change: Partial<PauseRecord> = {}): PauseRecord {
  return {
    id,
    version: 1,
    identity: { tenant: '', principal: 'alice', conversation: 'c', replyId: `reply of ${id}` },
    generation: 0,
    principal: { id: 'alice', roles: ['user'] },
    path: [],
    createdAt: 1_000,
    expiresAt: null,
    policyVersion: 'p1',
    reply: { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'wipe', input: {} }] },
    state: 'open',
    settledAt: null,
    dueAt: null,
    auditSequence: 0,
    auditHead: '',
    erased: false,
    calls: [contractCall('0.a')],
    ...change,
  };
}
