import { expect, test } from 'vitest';
import type { CallView } from '../../src/confirm/types.ts';
import { desk } from './desk.ts';
import type { Desk } from './desk.ts';

const calls = async ({ manager }: Desk, id: string): Promise<readonly CallView[]> =>
  (await manager.confirmations.get(id))?.calls ?? [];

test('approving records the person, and the process with the tool runs it once', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a.txt' }]]);
  const lea = await here.visitor();
  const answer = await lea.press(`/pauses/${pause.id}`, { call: '0', decision: 'approve' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/pauses/${pause.id}`]);
  expect(here.runs).toEqual([]);
  expect((await calls(here, pause.id))[0]).toMatchObject({
    state: 'approved',
    decision: { by: { principal: { id: 'lea' }, via: 'page' }, decision: { type: 'approve' } },
  });
  await here.resume(pause.id);
  expect(here.runs).toEqual([{ path: 'a.txt' }]);
  const page = await lea.page(`/pauses/${pause.id}`);
  expect(page).toContain('It ran and succeeded.');
  expect(page).toContain('write done');
  expect(page).toContain('<strong>Approved</strong> by lea');
});

test('denying carries the reason to the model and leaves the other call alone', async () => {
  const here = desk();
  const pause = await here.pause([
    ['write', { path: 'a' }],
    ['remove', { path: 'b' }],
  ]);
  const lea = await here.visitor();
  await lea.press(`/pauses/${pause.id}`, {
    call: '1',
    decision: 'deny',
    'message-1': ' Keep it. ',
    'message-0': 'not this',
  });
  expect((await calls(here, pause.id)).map(({ state }) => state)).toEqual(['awaiting', 'denied']);
  expect((await calls(here, pause.id))[1]?.decision?.decision).toEqual({ type: 'deny', message: 'Keep it.' });
});

test('edited arguments are checked against the tool; what does not fit is refused with the reason and kept for mending', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a', size: 1 }]]);
  const lea = await here.visitor();
  const path = `/pauses/${pause.id}`;
  const edit = (text: string) => lea.press(path, { call: '0', decision: 'approve-edited', 'arguments-0': text });
  for (const [typed, reason] of [
    ['{"path": ', 'The arguments are not JSON'],
    ['[1]', 'The arguments must be a JSON object'],
    ['{"path":"b","size":"many"}', 'Not recorded: this cannot be used.'],
  ] as const) {
    const refused = await edit(typed);
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(page).toContain(reason);
    expect(page).toContain(typed.replaceAll('"', '&quot;'));
    expect((await calls(here, pause.id))[0]?.state).toBe('awaiting');
  }
  expect((await edit('{"path":"b","size":2}')).status).toBe(303);
  await here.resume(pause.id);
  expect(here.runs).toEqual([{ path: 'b', size: 2 }]);
  expect(await lea.page(path)).toMatch(/Changed<\/span> path, size<.*Arguments as the model proposed them/s);
});

test('an edit that changes nothing is a plain approval', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a', size: 1 }]]);
  const lea = await here.visitor();
  await lea.press(`/pauses/${pause.id}`, {
    call: '0',
    decision: 'approve-edited',
    'arguments-0': '{"size":1, "path":"a"}',
  });
  expect((await calls(here, pause.id))[0]?.decision?.decision).toEqual({ type: 'approve' });
});

test('answering in place of the tool gives the model the answer and runs nothing', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a' }]]);
  const lea = await here.visitor();
  const path = `/pauses/${pause.id}`;
  expect((await lea.press(path, { call: '0', decision: 'respond', 'result-0': ' ' })).status).toBe(422);
  await lea.press(path, { call: '0', decision: 'respond', 'result-0': 'It exists already.' });
  await here.resume(pause.id);
  expect(here.runs).toEqual([]);
  expect((await calls(here, pause.id))[0]?.outcome).toMatchObject({ status: 'responded' });
  expect(await lea.page(path)).toContain('It exists already.');
});

test('several are decided together only when ticked, each on its own', async () => {
  const here = desk();
  const pause = await here.pause([
    ['write', { path: 'a' }],
    ['write', { path: 'b' }],
    ['write', { path: 'c' }],
  ]);
  const lea = await here.visitor();
  const path = `/pauses/${pause.id}`;
  const page = await lea.page(path);
  expect(page.match(/type="checkbox"/g)).toHaveLength(3);
  expect(page).not.toMatch(/checked=/);
  const none = await lea.press(path, { decision: 'approve' });
  expect([none.status, await none.text()]).toEqual([422, expect.stringContaining('No call was ticked')]);
  await lea.press(path, { call: ['0', '2'], decision: 'deny', message: 'Not now.' });
  const after = await calls(here, pause.id);
  expect(after.map(({ state }) => state)).toEqual(['denied', 'awaiting', 'denied']);
  expect(after[2]?.decision?.decision).toEqual({ type: 'deny', message: 'Not now.' });
});

test('sending the same decision twice, and another one late, changes nothing and says who was first', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a' }]]);
  const path = `/pauses/${pause.id}`;
  const [lea, tom] = await Promise.all([here.visitor(), here.visitor('tom-secret')]);
  const digest = pause.calls[0]?.digest as string;
  const form = async (page: string) => /name="form" value="([^"]+)"/.exec(page)?.[1] as string;
  const leaForm = await form(await lea.page(path));
  const tomForm = await form(await tom.page(path));
  const fields = { call: '0', 'digest-0': digest };
  expect((await lea.post(`${path}/decide`, { ...fields, form: leaForm, decision: 'approve' })).status).toBe(303);
  const second = await lea.post(`${path}/decide`, { ...fields, form: leaForm, decision: 'approve' });
  expect([second.status, await second.text()]).toEqual([409, expect.stringContaining('Already decided by lea')]);
  await here.resume(pause.id);
  const again = await lea.post(`${path}/decide`, { ...fields, form: leaForm, decision: 'approve' });
  const late = await tom.post(`${path}/decide`, { ...fields, form: tomForm, decision: 'deny' });
  for (const answer of [again, late]) {
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toContain('Already decided by lea');
    expect(page).toContain('What you sent just now changed nothing');
  }
  expect(here.runs).toHaveLength(1);
});

test('a decision on something else than what was seen is refused', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a' }]]);
  const lea = await here.visitor();
  const other = `sha256:${'0'.repeat(64)}`;
  const answer = await lea.press(`/pauses/${pause.id}`, { call: '0', decision: 'approve', 'digest-0': other });
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain('no longer what you saw');
  expect((await calls(here, pause.id))[0]?.state).toBe('awaiting');
});

test.each([
  [{ call: '7', decision: 'approve' }, 'names a call that this request does not have'],
  [{ call: '0' }, 'carries no decision'],
  [{ call: '0', decision: 'yes' }, 'carries no decision'],
])('a form of %o decides nothing', async (fields, reason) => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a' }]]);
  const lea = await here.visitor();
  const answer = await lea.press(`/pauses/${pause.id}`, fields as Record<string, string>);
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(reason)]);
  expect((await calls(here, pause.id))[0]?.state).toBe('awaiting');
});

test('AP-28 a plain approval of one call decides no other, however alike', async () => {
  const here = desk();
  const pause = await here.pause([
    ['write', { path: 'a' }],
    ['write', { path: 'a' }],
    ['remove', { path: 'a' }],
  ]);
  const lea = await here.visitor();
  await lea.press(`/pauses/${pause.id}`, { call: '0', decision: 'approve' });
  expect((await calls(here, pause.id)).map(({ state }) => state)).toEqual(['approved', 'awaiting', 'awaiting']);
});

test('AP-33 what expired says so, is not called denied, and a late click is refused', async () => {
  const here = desk({ expiresInMs: 5 * 60_000 });
  const pause = await here.pause([['write', { path: 'a' }]]);
  const lea = await here.visitor();
  const path = `/pauses/${pause.id}`;
  const before = await lea.page(path);
  expect(before).toContain('If nobody decides by');
  expect(before).toContain('(in 5 min)');
  const form = /name="form" value="([^"]+)"/.exec(before)?.[1] as string;
  here.clock.advance(5 * 60_000 - 1);
  expect(await lea.page(path)).toContain('data-call="waits"');
  here.clock.advance(60_001);
  const late = await lea.post(`${path}/decide`, {
    call: '0',
    'digest-0': pause.calls[0]?.digest ?? '',
    form,
    decision: 'approve',
  });
  expect(late.status).toBe(409);
  const page = await late.text();
  expect(page).toContain('Too late.');
  expect(page).toContain('It did not run: nobody decided in time.');
  expect(page).not.toContain('denied');
  expect((await calls(here, pause.id))[0]).toMatchObject({ state: 'expired', outcome: { status: 'expired' } });
  await here.resume(pause.id);
  expect(here.runs).toEqual([]);
  expect(await lea.page('/history?state=expired')).toContain(pause.id);
  expect(await lea.page('/history?state=denied')).not.toContain(pause.id);
});

test('calling a request off settles what has not run', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a' }]]);
  const lea = await here.visitor();
  const path = `/pauses/${pause.id}`;
  const form = /name="form" value="([^"]+)"/.exec(await lea.page(path))?.[1] as string;
  expect((await lea.post(`${path}/cancel`, { form })).status).toBe(303);
  expect((await calls(here, pause.id))[0]?.state).toBe('cancelled');
  expect(await lea.page(path)).toContain('It did not run: it was cancelled.');
});

test('a call whose process died is shown as unknown, and a person says how it ended or that it shall run again', async () => {
  for (const [resolution, state, sentence] of [
    ['succeeded', 'succeeded', 'It ran and succeeded.'],
    ['failed', 'failed', 'It ran and reported a failure.'],
    ['run-again', 'succeeded', 'It ran and succeeded.'],
  ] as const) {
    const here = desk();
    const pause = await here.pause([['write', { path: 'a' }]]);
    const lea = await here.visitor();
    const path = `/pauses/${pause.id}`;
    await lea.press(path, { call: '0', decision: 'approve' });
    await here.lose(pause.id);
    expect((await calls(here, pause.id))[0]?.state).toBe('unknown');
    expect(await lea.page('/?state=unknown')).toContain(path);
    const page = await lea.page(path);
    expect(page).toContain('know whether it ran.');
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] as string;
    const fields = { form, call: '0', 'digest-0': pause.calls[0]?.digest ?? '', resolution };
    expect((await lea.post(`${path}/resolve`, { ...fields, resolution: 'perhaps' })).status).toBe(422);
    expect((await lea.post(`${path}/resolve`, { ...fields, 'digest-0': 'other' })).status).toBe(409);
    expect((await lea.post(`${path}/resolve`, fields)).status).toBe(303);
    if (resolution === 'run-again') await here.resume(pause.id);
    expect((await calls(here, pause.id))[0]?.state).toBe(state);
    expect(await lea.page(path)).toContain(sentence);
    expect(here.runs).toHaveLength(resolution === 'run-again' ? 1 : 0);
    expect((await lea.post(`${path}/resolve`, fields)).status).toBe(409);
  }
});

test('two people must agree where the policy asks for two', async () => {
  const here = desk({ policy: () => ({ confirm: { approvals: 2, reason: 'money' } }) });
  const pause = await here.pause([['write', { path: 'a' }]]);
  const path = `/pauses/${pause.id}`;
  const [lea, tom] = await Promise.all([here.visitor(), here.visitor('tom-secret')]);
  await lea.press(path, { call: '0', decision: 'approve' });
  expect(await lea.page(path)).toMatch(/Approvals<\/span> 1 of 2: lea/);
  await tom.press(path, { call: '0', decision: 'approve' });
  expect((await calls(here, pause.id))[0]?.state).toBe('approved');
});

test('reading decides nothing, whatever the address says', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a' }]]);
  const lea = await here.visitor();
  for (const path of [
    '/',
    '/history',
    `/pauses/${pause.id}`,
    `/pauses/${pause.id}?decision=approve&call=0`,
    `/pauses/${pause.id}/decide?decision=approve&call=0`,
    `/pauses/${pause.id}/cancel`,
    `/pauses/${pause.id}/resolve`,
    `/pauses/${pause.id}/calls/0/arguments`,
  ]) {
    await lea.get(path);
  }
  expect((await calls(here, pause.id))[0]).toMatchObject({ state: 'awaiting', decision: null });
});

test('what belongs to another tenant is as good as absent', async () => {
  const here = desk();
  const pause = await here.pause([['write', { path: 'a' }]]);
  const eve = await here.visitor('eve-secret');
  expect(await eve.page('/')).toContain('Nothing waits for a decision.');
  expect((await eve.get(`/pauses/${pause.id}`)).status).toBe(404);
  expect((await eve.get(`/pauses/${pause.id}/calls/0/arguments`)).status).toBe(404);
  expect((await eve.press(`/pauses/${pause.id}`, { call: '0', decision: 'approve' })).status).toBe(404);
  expect((await calls(here, pause.id))[0]?.state).toBe('awaiting');
});
