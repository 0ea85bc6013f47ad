import type { JSX } from 'hono/jsx/jsx-runtime';
import { Layout } from '../components/layout.tsx';
import type { ViewContext } from '../view-context.ts';

/** One sentence and a way on: not found, refused, failed. `text` is ours, never untrusted. */
export function MessagePage(props: { context: ViewContext; title: string; text: string }): JSX.Element {
  const { context, title, text } = props;
  return (
    <Layout title={title} context={context}>
      <div class="narrow">
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <a class="button" href={context.links.home}>
            To the inbox
          </a>
        </p>
      </div>
    </Layout>
  );
}
