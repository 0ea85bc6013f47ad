import type { JSX } from 'hono/jsx/jsx-runtime';
import { Layout } from '../components/layout.tsx';
import { SafeLine, SafeParagraph } from '../components/safe-value.tsx';
import { safeLine } from '../../text/safe-plain.ts';
import type { InboxTool, InboxToolMatch } from '../types.ts';
import type { SignedInContext } from '../view-context.ts';
import { riskOf } from '../words.ts';

interface ToolsPageProps {
  readonly context: SignedInContext;
  readonly query: string;
  readonly searchable: boolean;
  /** Found tools for a query, best first, else all. */
  readonly tools: readonly (InboxTool & Partial<InboxToolMatch>)[];
  /** A search that could not be made, in one inert sentence. */
  readonly problem?: string | undefined;
}

const longest = 200;

/** What the gate knows, and what a search for a task would find, with the reasons. */
export function ToolsPage({ context, query, searchable, tools, problem }: ToolsPageProps): JSX.Element {
  const scores = tools.map((tool) => tool.score ?? 0);
  const range = { low: Math.min(0, ...scores), high: Math.max(0, ...scores) };
  const shown = tools.slice(0, longest);
  return (
    <Layout title="Tools" context={context} current="tools">
      <h1>Tools</h1>
      {searchable ? (
        <form class="tools search" method="get" action={context.links.tools} role="search">
          <label class="hidden" for="q">
            Search for tools in words
          </label>
          <input
            id="q"
            name="q"
            type="search"
            value={query}
            placeholder="What should be done? For example: write a file"
            data-key="/"
          />
          <button class="button" type="submit">
            Search
          </button>
        </form>
      ) : null}
      {problem === undefined ? null : (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <p class="fine">
        {query === ''
          ? `${tools.length} ${tools.length === 1 ? 'tool is' : 'tools are'} known.`
          : `${tools.length} found, best first. Bars compare the scores of this answer only.`}
      </p>
      {tools.length === 0 && problem === undefined ? (
        <div class="nothing">
          <p>{query === '' ? 'No tool is known.' : 'Nothing fits. An empty answer is an answer.'}</p>
        </div>
      ) : (
        <ul class="list">
          {shown.map((tool, position) => (
            <ToolRow tool={tool} range={range} position={query === '' ? null : position + 1} />
          ))}
        </ul>
      )}
      {tools.length > shown.length ? (
        <p class="fine">and {tools.length - shown.length} more; search to narrow them.</p>
      ) : null}
    </Layout>
  );
}

const verdicts: Readonly<Record<'allow' | 'confirm' | 'deny', { readonly tone: string; readonly text: string }>> = {
  allow: { tone: 'good', text: 'Runs at once' },
  confirm: { tone: 'wait', text: 'Waits for a person' },
  deny: { tone: 'bad', text: 'Refused' },
};

function ToolRow(props: {
  tool: InboxTool & Partial<InboxToolMatch>;
  range: ScoreRange;
  position: number | null;
}): JSX.Element {
  const { tool, range, position } = props;
  const risk = riskOf({ annotations: tool.annotations ?? null, server: tool.server ?? null });
  const verdict = tool.verdict === undefined ? null : verdicts[tool.verdict];
  return (
    <li class="card tool">
      <div class="row-head">
        <h2 class="mono">
          {position === null ? null : <span class="rank">{position}</span>}
          <SafeLine text={tool.name} />
        </h2>
        <span class="badges">
          <span class={`badge outline ${risk.tone}`}>{risk.text}</span>
          {verdict === null ? null : <span class={`badge ${verdict.tone}`}>{verdict.text}</span>}
        </span>
      </div>
      {tool.server === undefined ? null : (
        <p class="fine">
          server <SafeLine text={tool.server} maxLength={60} />
        </p>
      )}
      {tool.score === undefined ? null : <Score score={tool.score} range={range} parts={tool.parts} />}
      {tool.description === undefined || tool.description === '' ? null : (
        <div class="quoted">
          <SafeParagraph text={tool.description} />
        </div>
      )}
    </li>
  );
}

/** The scores of one answer; some strategies give negative ones. */
interface ScoreRange {
  readonly low: number;
  readonly high: number;
}

interface ScoreProps {
  readonly score: number;
  readonly range: ScoreRange;
  readonly parts?: Readonly<Record<string, number>> | undefined;
}

function Score({ score, range, parts }: ScoreProps): JSX.Element {
  const { low, high } = range;
  const named = Object.entries(parts ?? {});
  const rest = score - named.reduce((sum, [, value]) => sum + value, 0);
  // A receipt that adds up: what no part accounts for is a line of its own.
  const lines = named.length === 0 || Math.abs(rest) < 0.0005 ? named : [...named, ['other', rest] as const];
  return (
    <p class="score">
      <meter
        min={0}
        max={high > low ? high - low : 1}
        value={score - low}
        aria-label="Score beside the others of this answer"
      ></meter>
      <span>{round(score)}</span>
      {lines.length === 0 ? null : (
        <span class="fine">
          {lines
            .map(
              ([name, value]) =>
                `${safeLine(name, { maxLength: 40 })} ${value < 0 ? '−' : '+'}${round(Math.abs(value))}`,
            )
            .join('  ')}
        </span>
      )}
    </p>
  );
}

function round(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}
