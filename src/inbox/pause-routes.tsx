import type { Context, Hono } from 'hono';
import type { CallView, PauseView } from '../confirm/types.ts';
import type { Decision, DecisionMaker } from '../core/decision.ts';
import type { Digest } from '../core/digest.ts';
import { isToolgateError } from '../core/errors.ts';
import { inertJson } from '../text/safe-json.ts';
import type { CallAnswer } from './call-answers.ts';
import { getPause } from './list-pauses.ts';
import { MessagePage } from './pages/message-page.tsx';
import { PausePage } from './pages/pause-page.tsx';
import { readDecisions } from './read-decisions.ts';
import type { FormDecision } from './read-decisions.ts';
import type { InboxEnvironment, InboxParts } from './parts.ts';

type InboxContext = Context<InboxEnvironment>;

/** One request: showing it, deciding its calls, saying what became of unknown ones, calling it off. */
export function addPauseRoutes(app: Hono<InboxEnvironment>, parts: InboxParts): void {
  const { options, links, render, view } = parts;
  const { confirmations } = options;
  const absent = (context: InboxContext): Promise<Response> =>
    render(context, <MessagePage context={view(context)} {...absentPause} />, 404);
  const load = (context: InboxContext): Promise<PauseView | undefined> =>
    getPause(confirmations, context.get('session').principal, context.req.param('id') ?? '');
  const show = async (
    context: InboxContext,
    pause: PauseView,
    answers: readonly CallAnswer[],
    status: 200 | 409 | 422,
  ): Promise<Response> => {
    const audit = await options.audit?.(pause.id, context.get('session').principal);
    return render(context, <PausePage context={view(context)} pause={pause} answers={answers} audit={audit} />, status);
  };
  const refuse = (context: InboxContext, text: string): Promise<Response> =>
    render(context, <MessagePage context={view(context)} title="Nothing was decided" text={text} />, 422);

  app.get('/pauses/:id', async (context) => {
    const pause = await load(context);
    return pause === undefined ? absent(context) : show(context, pause, [], 200);
  });

  app.get('/pauses/:id/calls/:position/:part', async (context) => {
    const pause = await load(context);
    const call = pause?.calls.find((candidate) => String(candidate.position) === context.req.param('position'));
    const read = Object.hasOwn(fullParts, context.req.param('part')) ? fullParts[context.req.param('part')] : undefined;
    if (call === undefined || read === undefined) return absent(context);
    return context.text(`${inertJson(read(call))}\n`);
  });

  app.post('/pauses/:id/decide', async (context) => {
    const pause = await load(context);
    if (pause === undefined) return absent(context);
    const form = readDecisions(await context.req.formData(), pause);
    if (form.problem !== undefined) return refuse(context, form.problem);
    const decisions: Record<string, Decision & { readonly expected: Digest }> = Object.create(null) as Record<
      string,
      never
    >;
    const open = form.decisions.filter(({ call }) => call.state === 'awaiting');
    const late = form.decisions.filter(({ call }) => call.state !== 'awaiting');
    for (const { call, decision } of open) decisions[call.key] = decision;
    const given = open.length === 0 ? [] : await confirmations.decide(pause.id, decisions, maker(context));
    const answers: CallAnswer[] = [...form.refused, ...late.map(tooLate)];
    for (const { call, typed } of open) {
      const answer = given.find((candidate) => candidate.key === call.key);
      if (answer === undefined) continue;
      answers.push({ position: call.position, answer, ...(answer.answer === 'invalid' ? { typed } : {}) });
    }
    if (answers.every((answer) => answer.answer.answer === 'accepted'))
      return context.redirect(links.pause(pause), 303);
    const after = (await load(context)) ?? pause;
    return show(context, after, answers, answers.some((answer) => answer.answer.answer === 'invalid') ? 422 : 409);
  });

  app.post('/pauses/:id/resolve', async (context) => {
    const pause = await load(context);
    const form = await context.req.formData();
    const call = pause?.calls.find((candidate) => String(candidate.position) === form.get('call'));
    if (pause === undefined || call === undefined) return absent(context);
    const resolution = resolutions.find((name) => name === form.get('resolution'));
    if (resolution === undefined) return refuse(context, 'The form does not say what became of the call.');
    if (call.state !== 'unknown' || form.get(`digest-${call.position}`) !== call.digest) {
      return show(context, pause, [settledMeanwhile(call)], 409);
    }
    try {
      await confirmations.resolveUnknown(pause.id, call.key, resolution, maker(context));
    } catch (error) {
      if (!isToolgateError(error)) throw error;
      const after = (await load(context)) ?? pause;
      if (error.code === 'illegal-transition') return show(context, after, [settledMeanwhile(call)], 409);
      if (error.code !== 'not-permitted') throw error;
      const answer = { key: call.key, answer: 'not-permitted', message: error.message } as const;
      return show(context, after, [{ position: call.position, answer }], 409);
    }
    return context.redirect(links.pause(pause), 303);
  });

  app.post('/pauses/:id/cancel', async (context) => {
    const pause = await load(context);
    if (pause === undefined) return absent(context);
    await confirmations.cancel(pause.id, maker(context), 'called off by a person in the inbox');
    return context.redirect(links.pause(pause), 303);
  });
}

const absentPause = {
  title: 'Not found',
  text: 'There is no such request, or it is not for you. What is absent was never allowed to run.',
};

const resolutions = ['succeeded', 'failed', 'run-again'] as const;

const fullParts: Readonly<Record<string, (call: CallView) => unknown>> = {
  arguments: (call) => call.effectiveArguments,
  proposed: (call) => call.proposedArguments,
  result: (call) => call.outcome?.result ?? null,
};

/** A second press of the same button, or somebody else's decision: the first one stands, and the page says whose it was. */
function tooLate({ call }: FormDecision): CallAnswer {
  const { key, state, decision } = call;
  const answer = { key, answer: 'already-decided', state, by: decision?.by ?? null, at: decision?.at ?? null } as const;
  return { position: call.position, answer };
}

function settledMeanwhile(call: CallView): CallAnswer {
  return {
    position: call.position,
    answer: { key: call.key, answer: 'stale', message: 'The end of this call was settled meanwhile.' },
  };
}

function maker(context: InboxContext): DecisionMaker {
  return { principal: context.get('session').principal, via: 'page' };
}
