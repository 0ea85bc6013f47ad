import type { JSX } from 'hono/jsx/jsx-runtime';
import type { RulePreview } from '../../confirm/standing-rules.ts';
import type { CallView, PauseView } from '../../confirm/types.ts';
import { safeLine } from '../../text/safe-plain.ts';
import { Layout } from '../components/layout.tsx';
import { RuleTerms } from '../components/rule-terms.tsx';
import { FormGuard } from '../components/small.tsx';
import { argumentNames, ruleDays } from '../read-rule-scope.ts';
import type { RuleForm } from '../read-rule-scope.ts';
import type { SignedInContext } from '../view-context.ts';

interface RulePageProps {
  readonly context: SignedInContext;
  readonly pause: PauseView;
  readonly call: CallView;
  readonly form: RuleForm;
  readonly preview: RulePreview;
  readonly problem?: string | undefined;
}

/** Making a standing rule: first how far it reaches, then what it would have done, and only then the button. */
export function RulePage({ context, pause, call, form, preview, problem }: RulePageProps): JSX.Element {
  const here = context.links.rule(pause, call);
  const name = safeLine(call.toolName, { maxLength: 80 });
  return (
    <Layout title={`Standing rule for ${name}`} context={context} current="rules">
      <p class="crumb">
        <a href={context.links.pause(pause)}>← The call</a>
      </p>
      <h1>{`Approve calls of ${name} in advance`}</h1>
      {problem === undefined ? null : (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <form class="card reach" method="get" action={here}>
        <h2>How far it reaches</h2>
        <Choice
          name="conversation"
          legend="Conversation"
          value={form.conversation}
          options={{ this: 'Only this one', all: 'Every one' }}
        />
        <Choice
          name="principal"
          legend="Asked for by"
          value={form.principal}
          options={{ caller: 'Only this caller', everybody: 'Everybody' }}
        />
        <Choice
          name="arguments"
          legend="Arguments"
          value={form.anyArguments ? 'any' : 'named'}
          options={{ named: 'As in this call', any: 'Any at all' }}
        />
        {argumentNames(call).length === 0 ? null : (
          <fieldset>
            <legend>May have any value</legend>
            {argumentNames(call).map((argument, position) => (
              <label>
                <input type="checkbox" name="free" value={String(position)} checked={form.free.includes(argument)} />
                <code>{safeLine(argument, { maxLength: 80 })}</code>
              </label>
            ))}
          </fieldset>
        )}
        <label for="days">Ends after</label>{' '}
        <select id="days" name="days">
          {ruleDays.map((days) => (
            <option value={String(days)} selected={days === form.days}>
              {days === 1 ? '1 day' : `${days} days`}
            </option>
          ))}
        </select>
        <p class="next-step">
          <button class="button" type="submit">
            Show what it would do
          </button>
        </p>
      </form>
      <form class="card" method="post" action={here}>
        <FormGuard formToken={context.formToken} />
        <h2>What it would do</h2>
        <RuleTerms rule={preview.rule} now={context.now} />
        <Counts preview={preview} />
        <ScopeFields call={call} form={form} />
        <input type="hidden" name="digest" value={call.digest} />
        <input type="hidden" name="denied" value={String(preview.denied)} />
        {preview.denied === 0 ? null : (
          <p>
            <label>
              <input type="checkbox" name="read" value="yes" required /> I have seen that people denied {preview.denied}{' '}
              of these calls
            </label>
          </p>
        )}
        <div class="buttons">
          <button class="button approve" type="submit">
            Grant this rule
          </button>
        </div>
      </form>
    </Layout>
  );
}

function Counts({ preview }: { preview: RulePreview }): JSX.Element {
  const { matches, approved, denied, waiting } = preview;
  return (
    <>
      <p>
        Of the calls on record it matches <strong>{matches}</strong>: {approved} approved by a person, {denied} denied
        by a person
        {waiting === 0 ? '.' : `; ${waiting} ${waiting === 1 ? 'waits' : 'wait'} now and would be approved at once.`}
      </p>
      {denied === 0 ? null : (
        <p class="notice bad">
          <strong>People denied {denied} of these calls.</strong> A narrower rule may be the better one.
        </p>
      )}
    </>
  );
}

function Choice(props: {
  name: string;
  legend: string;
  value: string;
  options: Readonly<Record<string, string>>;
}): JSX.Element {
  return (
    <fieldset>
      <legend>{props.legend}</legend>
      {Object.entries(props.options).map(([value, text]) => (
        <label>
          <input type="radio" name={props.name} value={value} checked={value === props.value} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** The same choices again, so that what is granted is what was shown. */
function ScopeFields({ call, form }: { call: CallView; form: RuleForm }): JSX.Element {
  return (
    <>
      <input type="hidden" name="conversation" value={form.conversation} />
      <input type="hidden" name="principal" value={form.principal} />
      <input type="hidden" name="arguments" value={form.anyArguments ? 'any' : 'named'} />
      <input type="hidden" name="days" value={String(form.days)} />
      {argumentNames(call).map((argument, position) =>
        form.free.includes(argument) ? <input type="hidden" name="free" value={String(position)} /> : null,
      )}
    </>
  );
}
