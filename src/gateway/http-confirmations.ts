import { Hono } from 'hono';
import type { CallState } from '../core/call-state.ts';
import { callTransitions } from '../core/call-state.ts';
import type { Decision, DecisionMaker } from '../core/decision.ts';
import type { Digest } from '../core/digest.ts';
import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { PauseView } from '../confirm/types.ts';
import type { CallRunner } from './call-runner.ts';
import type { Decisions } from './call-types.ts';
import { approverPrincipal } from './http-access.ts';
import { badRequest, readJsonObject } from './http-errors.ts';

/** What the routes stand on. */
export interface ConfirmationRouteOptions {
  readonly runner: CallRunner;
  audit(pauseId: string): Promise<readonly object[]>;
}

const by: DecisionMaker = { principal: approverPrincipal, via: 'http' };
/** How long a decision waits for the end of the call it lets run. */
const standardWaitMs = 20_000;

/** `/confirmations` and `/audit`, for whoever may decide; mounted behind the approver's check. */
export function confirmationRoutes(options: ConfirmationRouteOptions): Hono {
  const { runner } = options;
  const routes = new Hono();

  routes.get('/confirmations', async (c) => {
    const query = c.req.query();
    const state = query['state'];
    if (state !== undefined && state !== 'open' && state !== 'settled')
      throw badRequest('state must be open or settled.', 'state');
    const callStates = query['callState']?.split(',').map(readCallState);
    const limit = query['limit'] === undefined ? 50 : Number(query['limit']);
    if (!Number.isInteger(limit) || limit < 1 || limit > 500)
      throw badRequest('limit must be a whole number from 1 to 500.', 'limit');
    return c.json(
      await runner.confirmations.list({
        state,
        callStates,
        limit,
        cursor: query['cursor'],
        conversation: query['conversation'],
        principal: query['principal'],
      }),
    );
  });

  routes.get('/confirmations/:id', async (c) => c.json(await find(runner, c.req.param('id'))));

  routes.post('/confirmations/:id/decisions', async (c) => {
    const id = c.req.param('id');
    const body = await readJsonObject(c);
    const pause = await find(runner, id);
    const decisions = readDecisions(body, pause);
    const result = await runner.decide(id, decisions, by, readWait(body['waitMs']));
    return c.json({ answers: result.answers, confirmation: result.pause });
  });

  routes.post('/confirmations/:id/cancel', async (c) => {
    const body =
      c.req.header('content-length') === '0' || c.req.header('content-type') === undefined
        ? {}
        : await readJsonObject(c);
    const reason = body['reason'];
    if (reason !== undefined && typeof reason !== 'string') throw badRequest('reason must be a text.', 'reason');
    return c.json(await runner.confirmations.cancel(c.req.param('id'), by, reason));
  });

  routes.post('/confirmations/:id/resolve', async (c) => {
    const body = await readJsonObject(c);
    const { key, resolution } = body;
    if (typeof key !== 'string') throw badRequest('key must name a call.', 'key');
    if (resolution !== 'succeeded' && resolution !== 'failed' && resolution !== 'run-again') {
      throw badRequest('resolution must be succeeded, failed or run-again.', 'resolution');
    }
    const pause = await runner.confirmations.resolveUnknown(c.req.param('id'), key, resolution, by);
    void runner.run(pause.id);
    return c.json(pause);
  });

  routes.get('/audit', async (c) => {
    const id = c.req.query('confirmation');
    if (id === undefined) throw badRequest('Say whose audit: ?confirmation=<id>.', 'confirmation');
    await find(runner, id);
    return c.json({ confirmation: id, entries: await options.audit(id) });
  });
  return routes;
}

async function find(runner: CallRunner, id: string): Promise<PauseView> {
  const pause = await runner.confirmations.get(id);
  if (pause === undefined)
    throw new ToolgateError(
      'pause-not-found',
      `There is no confirmation with the id ${JSON.stringify(id)}. Nothing was run.`,
      { data: { pause: id } },
    );
  return pause;
}

function readCallState(text: string): CallState {
  if (!Object.hasOwn(callTransitions, text))
    throw badRequest(
      `callState knows no ${JSON.stringify(text)}: it is one of ${Object.keys(callTransitions).join(', ')}.`,
      'callState',
    );
  return text as CallState;
}

function readWait(value: unknown): number {
  if (value === undefined) return standardWaitMs;
  if (typeof value !== 'number' || !(value >= 0) || value > 60_000)
    throw badRequest('waitMs must be a number from 0 to 60000.', 'waitMs');
  return value;
}

/** `{ decisions: { "<key>": decision } }`, or `{ decision }` where only one call waits. */
function readDecisions(body: Record<string, unknown>, pause: PauseView): Decisions {
  const { decision, decisions } = body;
  if ((decision === undefined) === (decisions === undefined))
    throw badRequest('Give either "decision", for the only call, or "decisions", an object from key to decision.');
  const known = pause.calls.map((call) => call.key);
  if (decisions === undefined) {
    const only = known.length === 1 ? known[0] : undefined;
    if (only === undefined)
      throw badRequest(`There are ${known.length} calls: name each by its key under "decisions".`, 'decision');
    return { [only]: readDecision(decision, 'decision') };
  }
  if (!isPlainObject(decisions)) throw badRequest('decisions must be an object from key to decision.', 'decisions');
  if (Object.keys(decisions).length === 0) throw badRequest('decisions is empty. Nothing was decided.', 'decisions');
  return Object.fromEntries(
    Object.entries(decisions).map(([key, value]) => [key, readDecision(value, `decisions[${JSON.stringify(key)}]`)]),
  );
}

function readDecision(value: unknown, place: string): Decision & { readonly expected?: Digest } {
  const decision: unknown = value === 'approve' || value === 'deny' ? { type: value } : value;
  if (!isPlainObject(decision)) throw badRequest(`${place} must be "approve", "deny" or an object with a type.`, place);
  const { type, arguments: args, message, result, expected } = decision;
  if (expected !== undefined && (typeof expected !== 'string' || !expected.startsWith('sha256:')))
    throw badRequest(`${place}.expected must be a digest as the call shows it.`, place);
  const seen = expected === undefined ? {} : { expected: expected as Digest };
  if (type === 'approve') return { type, ...(args === undefined ? {} : { arguments: args }), ...seen };
  if (type === 'deny') {
    if (message !== undefined && typeof message !== 'string')
      throw badRequest(`${place}.message must be a text.`, place);
    return { type, ...(message === undefined ? {} : { message }), ...seen };
  }
  if (type === 'respond') {
    const usable = typeof result === 'string' || (isPlainObject(result) && Array.isArray(result['content']));
    if (!usable) throw badRequest(`${place}.result must be a text or a result with content.`, place);
    return { type, result: result as string, ...seen };
  }
  throw badRequest(`${place}.type must be approve, deny or respond.`, place);
}
