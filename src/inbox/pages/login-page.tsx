import type { JSX } from 'hono/jsx/jsx-runtime';
import { Layout } from '../components/layout.tsx';
import type { ViewContext } from '../view-context.ts';

/** Signing in with the approver's token, which travels in the form's body only. */
export function LoginPage(props: { context: ViewContext; next: string; problem?: string | undefined }): JSX.Element {
  const { context, next, problem } = props;
  return (
    <Layout title="Sign in" context={context}>
      <form class="card narrow login" method="post" action={context.links.login}>
        <h1>Sign in to decide</h1>
        <p>
          Open the start link that was printed where toolgate was started (it works once), or type the approver's token:
          it stands in <code>tokens.json</code> of the state directory. In a terminal, <code>npx toolgate inbox</code>{' '}
          shows what waits.
        </p>
        {problem === undefined ? null : (
          <p class="notice bad" role="alert" id="problem">
            {problem}
          </p>
        )}
        <input type="hidden" name="next" value={next} />
        <label for="token">Approver's token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          maxlength={4096}
          {...(problem === undefined ? {} : { 'aria-describedby': 'problem', 'aria-invalid': 'true' })}
        />
        <button class="button approve wide" type="submit">
          Sign in
        </button>
      </form>
    </Layout>
  );
}

/** What a start link opens: the code is used only when the person presses the button, because programs open links too. */
export function StartPage({ context, code }: { context: ViewContext; code: string }): JSX.Element {
  return (
    <Layout title="Start" context={context}>
      <form class="card narrow login" method="post" action={context.links.start}>
        <h1>Open the inbox</h1>
        <p>This link signs you in here, once.</p>
        <input type="hidden" name="code" value={code} />
        <button class="button approve wide" type="submit">
          Continue
        </button>
      </form>
    </Layout>
  );
}

/**
 * A link from elsewhere arrives without the strict cookie. Loading the page again from here brings it along, so that a person
 * who is signed in needs not sign in again.
 */
export function ArrivalPage({ context, here }: { context: ViewContext; here: string }): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="refresh" content={`0; url=${here}`} />
        <title>toolgate</title>
        <link rel="stylesheet" href={context.links.style} />
      </head>
      <body>
        <p class="narrow">
          <a href={here}>Continue</a>
        </p>
      </body>
    </html>
  );
}
