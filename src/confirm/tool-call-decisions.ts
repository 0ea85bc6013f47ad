import { keyedCalls } from '../core/call-identity.ts';
import type { Decision, DecisionMaker } from '../core/decision.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { ToolgateError } from '../core/errors.ts';
import { isPlainObject } from '../core/json.ts';
import type { Reply } from '../core/message.ts';

/** Who decides, and which pause the decisions are for. */
export interface ToolCallDecisionsOptions {
  readonly by?: DecisionMaker | undefined;
  readonly pauseId?: string | undefined;
  /** The sealed state of the pause, where it travelled through a client. */
  readonly token?: string | undefined;
}

/**
 * What people decided about the calls of one reply, by key. (Spring AI: `ToolCallDecisions`.)
 * Made with {@link ToolCallDecisions.of}; keys come from {@link ToolCallDecisions.toolCallKeys}.
 */
export class ToolCallDecisions {
  /** The entry of a response's metadata under which a loop lists the keys that wait. */
  static readonly AWAITING_DECISION_METADATA_KEY: string = 'toolgate.awaitingDecision';

  readonly decisions: ReadonlyMap<string, Decision>;
  readonly by: DecisionMaker | null;
  readonly pauseId: string | undefined;
  readonly token: string | undefined;

  private constructor(decisions: ReadonlyMap<string, Decision>, options: ToolCallDecisionsOptions) {
    this.decisions = decisions;
    this.by = options.by ?? null;
    this.pauseId = options.pauseId;
    this.token = options.token;
  }

  /** The keys of a reply's calls in the model's order; unique also when ids repeat, are empty or missing. Calls that the provider executes itself have none. */
  static toolCallKeys(reply: Reply): string[] {
    return keyedCalls(reply)
      .filter(({ part }) => part.providerExecuted !== true)
      .map(({ key }) => key);
  }

  /**
   * Decisions by key, as an object or as pairs. Throws `decision-duplicate` for two equal decisions about one key,
   * `decision-conflict` for two different ones, and `decision-invalid` for anything that is no decision.
   */
  static of(
    decisions: Readonly<Record<string, Decision>> | Iterable<readonly [key: string, decision: Decision]>,
    options: ToolCallDecisionsOptions = {},
  ): ToolCallDecisions {
    const pairs = Symbol.iterator in decisions ? [...decisions] : Object.entries(decisions);
    const map = new Map<string, Decision>();
    for (const [key, value] of pairs) {
      const decision = readDecision(key, value);
      const earlier = map.get(key);
      if (earlier === undefined) {
        map.set(key, decision);
        continue;
      }
      if (sameDecision(earlier, decision)) {
        throw new ToolgateError(
          'decision-duplicate',
          `There are two decisions for the call ${JSON.stringify(key)}. Nothing was run.`,
          { data: { key } },
        );
      }
      throw new ToolgateError(
        'decision-conflict',
        `There are two different decisions for the call ${JSON.stringify(key)}. Nothing was run.`,
        {
          data: { key, by: null, at: null },
        },
      );
    }
    return new ToolCallDecisions(map, options);
  }
}

/** Two decisions that say the same. */
export function sameDecision(a: Decision, b: Decision): boolean {
  return canonicalJson(a, { mode: 'lenient' }) === canonicalJson(b, { mode: 'lenient' });
}

/** Checks what claims to be a decision and keeps its known fields only. Throws `decision-invalid`. */
export function readDecision(key: string, value: unknown): Decision {
  const wrong = (message: string): never => {
    throw new ToolgateError(
      'decision-invalid',
      `The decision for the call ${JSON.stringify(key)} ${message} Nothing was run.`,
      { data: { key } },
    );
  };
  if (!isPlainObject(value)) return wrong('is not an object.');
  switch (value['type']) {
    case 'approve':
      return Object.hasOwn(value, 'arguments') && value['arguments'] !== undefined
        ? { type: 'approve', arguments: value['arguments'] }
        : { type: 'approve' };
    case 'deny':
      if (value['message'] === undefined) return { type: 'deny' };
      if (typeof value['message'] !== 'string') return wrong('has a message that is not text.');
      return { type: 'deny', message: value['message'] };
    case 'respond': {
      const result = value['result'];
      const usable = typeof result === 'string' || (isPlainObject(result) && Array.isArray(result['content']));
      if (!usable) return wrong('needs a result: a text or a tool result with content.');
      return { type: 'respond', result: result as Extract<Decision, { type: 'respond' }>['result'] };
    }
    default:
      return wrong("has no known type; use 'approve', 'deny' or 'respond'.");
  }
}
