import type { Context, Hono } from 'hono';
import type { RulePreview, StandingRules } from '../confirm/standing-rules.ts';
import type { CallView, PauseView } from '../confirm/types.ts';
import type { DecisionMaker } from '../core/decision.ts';
import { isToolgateError } from '../core/errors.ts';
import { safeLine } from '../text/safe-plain.ts';
import { formText } from './form-text.ts';
import { getPause } from './list-pauses.ts';
import { MessagePage } from './pages/message-page.tsx';
import { RulePage } from './pages/rule-page.tsx';
import { RulesPage } from './pages/rules-page.tsx';
import type { InboxEnvironment, InboxParts } from './parts.ts';
import { readRuleForm } from './read-rule-scope.ts';
import type { RuleForm } from './read-rule-scope.ts';

type InboxContext = Context<InboxEnvironment>;

/** Standing rules: what one would do, granting it, the list, revoking. Granting is a right of its own; the manager judges it. */
export function addRuleRoutes(app: Hono<InboxEnvironment>, parts: InboxParts, rules: StandingRules): void {
  const { options, links, render, view } = parts;
  const by = (context: InboxContext): DecisionMaker => ({ principal: context.get('session').principal, via: 'page' });
  const refuse = (context: InboxContext, text: string, status: 403 | 404): Promise<Response> =>
    render(context, <MessagePage context={view(context)} title="No rule was made" text={text} />, status);
  const load = async (
    context: InboxContext,
  ): Promise<{ readonly pause: PauseView; readonly call: CallView } | undefined> => {
    const pause = await getPause(
      options.confirmations,
      context.get('session').principal,
      context.req.param('id') ?? '',
    );
    const call = pause?.calls.find((candidate) => String(candidate.position) === context.req.param('position'));
    return pause === undefined || call === undefined ? undefined : { pause, call };
  };
  /** Runs one step of the manager; what it does not permit becomes a page that says why. */
  const permitted = async <T,>(context: InboxContext, step: () => Promise<T>): Promise<T | Response> => {
    try {
      return await step();
    } catch (error) {
      if (!isToolgateError(error) || error.code !== 'not-permitted') throw error;
      return refuse(context, safeLine(error.message, { maxLength: 400 }), 403);
    }
  };
  const show = (
    context: InboxContext,
    at: { readonly pause: PauseView; readonly call: CallView },
    form: RuleForm,
    preview: RulePreview,
    problem?: string,
  ): Promise<Response> =>
    render(
      context,
      <RulePage context={view(context)} {...at} form={form} preview={preview} problem={problem} />,
      problem === undefined ? 200 : 409,
    );

  app.get('/rules', async (context) => {
    const tenant = context.get('session').principal.tenant ?? '';
    return render(context, <RulesPage context={view(context)} rules={await rules.list(tenant, { all: true })} />);
  });

  app.post('/rules/revoke', async (context) => {
    const id = formText(await context.req.formData(), 'rule');
    const tenant = context.get('session').principal.tenant ?? '';
    const done = await permitted(context, () => rules.revoke(tenant, id, by(context)));
    return done instanceof Response ? done : context.redirect(links.rules, 303);
  });

  app.get('/pauses/:id/calls/:position/rule', async (context) => {
    const at = await load(context);
    if (at === undefined) return refuse(context, absent, 404);
    const form = readRuleForm(new URL(context.req.url).searchParams, at.call);
    const preview = await permitted(context, () => rules.preview(at.pause.id, at.call.key, form.scope, by(context)));
    return preview instanceof Response ? preview : show(context, at, form, preview);
  });

  app.post('/pauses/:id/calls/:position/rule', async (context) => {
    const at = await load(context);
    if (at === undefined) return refuse(context, absent, 404);
    const posted = await context.req.formData();
    const fields = new URLSearchParams();
    for (const [name, value] of posted) if (typeof value === 'string') fields.append(name, value);
    const form = readRuleForm(fields, at.call);
    const preview = await permitted(context, () => rules.preview(at.pause.id, at.call.key, form.scope, by(context)));
    if (preview instanceof Response) return preview;
    if (fields.get('digest') !== at.call.digest) return show(context, at, form, preview, changed);
    const seen =
      preview.denied === 0 || (fields.get('read') === 'yes' && fields.get('denied') === String(preview.denied));
    if (!seen) return show(context, at, form, preview, unread);
    const done = await permitted(context, () => rules.grant(at.pause.id, at.call.key, form.scope, by(context)));
    return done instanceof Response ? done : context.redirect(links.rules, 303);
  });
}

const absent = 'There is no such call, or it is not for you.';
const changed = 'No rule was made: the call is no longer the one that you saw.';
const unread =
  'No rule was made: people denied calls that it covers. Read the numbers and confirm that you have seen them.';
