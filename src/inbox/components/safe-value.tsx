import type { JSX } from 'hono/jsx/jsx-runtime';
import { longRun, warningFor } from '../../text/safe-characters.ts';
import { describeFold, keyLabel, segmentLabel } from '../../text/safe-plain.ts';
import { foldedSegments, safeText } from '../../text/safe-text.ts';
import type { SafeDisplay, SafeNode, SafeSegment, SafeText } from '../../text/safe-types.ts';

/** The safe display as HTML. Marks carry the same brackets as in a terminal, so that copied text cannot be taken for the original. */
export function SafeValue({ display, fullLink }: { display: SafeDisplay; fullLink?: string }): JSX.Element {
  return (
    <div class="value">
      <Node node={display.root} {...(fullLink === undefined ? {} : { fullLink })} />
      {display.complete || fullLink === undefined ? null : (
        <p class="notice doubt">
          Not everything fits here. <a href={fullLink}>Open the complete value</a> before you decide.
        </p>
      )}
    </div>
  );
}

/** One untrusted text, kept on one line. */
export function SafeLine({ text, maxLength }: { text: string; maxLength?: number }): JSX.Element {
  return <TextView text={safeText(text, { maxLength: maxLength ?? 200 })} singleLine />;
}

/** Untrusted text of several lines. */
export function SafeParagraph({ text }: { text: string }): JSX.Element {
  return (
    <div class="text lines">
      <TextView text={safeText(text)} />
    </div>
  );
}

function Node({ node, fullLink }: { node: SafeNode; fullLink?: string }): JSX.Element {
  const link = fullLink === undefined ? {} : { fullLink };
  switch (node.type) {
    case 'scalar':
      return <code class="scalar">{node.text}</code>;
    case 'note':
      return <span class="mark">⟦{node.text}⟧</span>;
    case 'string':
      if (node.text.length === 0) return <span class="empty">empty text</span>;
      return (
        <div class={isLong(node.text) ? 'text lines' : 'text'}>
          <TextView text={node.text} {...link} />
        </div>
      );
    case 'list':
      if (node.items.length === 0) return <span class="empty">empty list</span>;
      return (
        <ol class="items">
          {node.items.map((item) => (
            <li>
              <Node node={item} {...link} />
            </li>
          ))}
        </ol>
      );
    default:
      if (node.entries.length === 0) return <span class="empty">empty object</span>;
      return (
        <dl class="entries">
          {node.entries.map(({ key, value }) => (
            <div class="entry">
              <dt>
                <bdi>{keyLabel(key).slice(0, -1)}</bdi>
              </dt>
              <dd>
                <Node node={value} {...link} />
              </dd>
            </div>
          ))}
        </dl>
      );
  }
}

function isLong(text: SafeText): boolean {
  return text.length > 80 || text.fold !== null || text.head.some((segment) => segment.kind === 'newline');
}

/** Longer folded parts are not put into the page; they have their own. */
const longestInPage = 100_000;

function TextView(props: { text: SafeText; singleLine?: boolean; fullLink?: string }): JSX.Element {
  const { text, fullLink } = props;
  const singleLine = props.singleLine === true;
  const fold = text.fold;
  if (fold === null) return <bdi>{text.head.map((segment) => Segment({ segment, singleLine }))}</bdi>;
  const label = `… ${describeFold(text)} …`;
  const inPage = !singleLine && fold.characters <= longestInPage;
  return (
    <>
      <bdi>{text.head.map((segment) => Segment({ segment, singleLine }))}</bdi>
      {inPage ? (
        <details class="fold">
          <summary>{label}</summary>
          <bdi>{foldedSegments(text).map((segment) => Segment({ segment, singleLine }))}</bdi>
        </details>
      ) : fullLink === undefined ? (
        <span class="mark">⟦{label}⟧</span>
      ) : (
        <a class="mark" href={fullLink}>
          ⟦{label} open all⟧
        </a>
      )}
      <bdi>{text.tail.map((segment) => Segment({ segment, singleLine }))}</bdi>
    </>
  );
}

function Segment({ segment, singleLine }: { segment: SafeSegment; singleLine: boolean }): JSX.Element | string {
  switch (segment.kind) {
    case 'text':
      return segment.text;
    case 'hidden':
      return (
        <span class={warningFor(segment.code) === null ? 'mark calm' : 'mark'} title={segment.name}>
          {segmentLabel(segment)}
        </span>
      );
    case 'lookalike':
      return (
        <>
          <span class="lookalike">{segment.text}</span>
          <span class="mark">⟦{segment.reads}⟧</span>
        </>
      );
    case 'newline':
      if (!singleLine) return '\n';
      return <span class="mark calm">{segmentLabel(segment)}</span>;
    default:
      return <span class={segment.count < longRun ? 'mark calm' : 'mark'}>{segmentLabel(segment)}</span>;
  }
}
