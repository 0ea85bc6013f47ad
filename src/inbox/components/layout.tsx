import type { PropsWithChildren } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { safeLine } from '../../text/safe-plain.ts';
import type { ViewContext } from '../view-context.ts';

interface LayoutProps {
  readonly title: string;
  readonly context: ViewContext;
  readonly current?: 'inbox' | 'history' | 'rules' | 'tools' | 'servers';
  /** Seconds after which a page without JavaScript loads again, while something runs. */
  readonly refreshSeconds?: number | undefined;
  /** Changes with what the page shows: the script reloads or tells when it differs. */
  readonly version?: string | undefined;
}

/** The frame of every page. */
export function Layout(props: PropsWithChildren<LayoutProps>): JSX.Element {
  const { context, current, title } = props;
  const { links, session, has } = context;
  const item = (name: LayoutProps['current'], href: string, text: string): JSX.Element => (
    <a href={href} {...(current === name ? { 'aria-current': 'page' } : {})}>
      {text}
    </a>
  );
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · toolgate`}</title>
        <link rel="stylesheet" href={links.style} />
        <link rel="icon" type="image/svg+xml" href={links.icon} />
        <script src={links.script} defer></script>
        {props.refreshSeconds === undefined ? null : (
          <noscript>
            <meta http-equiv="refresh" content={String(props.refreshSeconds)} />
          </noscript>
        )}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="top">
          <div class="bar">
            <a class="brand" href={links.home}>
              <span class="gate" aria-hidden="true"></span>toolgate
            </a>
            {session === null ? null : (
              <>
                <nav aria-label="Pages">
                  {item('inbox', links.home, 'Inbox')}
                  {item('history', links.history, 'History')}
                  {has.rules ? item('rules', links.rules, 'Rules') : null}
                  {has.tools ? item('tools', links.tools, 'Tools') : null}
                  {has.servers ? item('servers', links.servers, 'Servers') : null}
                </nav>
                <form class="who" method="post" action={links.logout}>
                  <input type="hidden" name="form" value={context.formToken} />
                  <span title="Signed in as">{safeLine(session.principal.id, { maxLength: 40 })}</span>
                  {session.id === '' ? null : (
                    <button class="link" type="submit">
                      Sign out
                    </button>
                  )}
                </form>
              </>
            )}
          </div>
        </header>
        <p id="status" role="status" class="status"></p>
        <main
          id="main"
          tabindex={-1}
          {...(props.version === undefined ? {} : { 'data-version': props.version })}
          {...(has.events ? { 'data-changes': links.changes } : {})}
          {...(props.refreshSeconds === undefined ? {} : { 'data-follow': 'yes' })}
        >
          {props.children}
        </main>
      </body>
    </html>
  );
}
