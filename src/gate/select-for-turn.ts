import { definitionsOf } from '../catalog/definitions-of.ts';
import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import type { Message } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';
import type { SelectionOptions } from '../select/select-options.ts';
import { createToolSelector } from '../select/select-tools.ts';
import type { ToolSelector } from '../select/select-tools.ts';
import type { PassReason } from '../select/pass-unasked.ts';
import type { SelectionReport } from '../select/types.ts';
import type { ConversationSession } from './session.ts';
import type { ToolChoice } from './types.ts';

/** The same selection with the two answers to "is it worth asking?". */
export interface TurnSelectors {
  readonly ask: ToolSelector;
  readonly pass: ToolSelector;
  readonly minTools: number;
  readonly minTokens: number;
  readonly alwaysInclude: ReadonlySet<string>;
}

/** Makes the selectors of a gate. Throws `invalid-option`. */
export function turnSelectors(options: SelectionOptions): TurnSelectors {
  return {
    ask: createToolSelector({ ...options, minTools: 0, minTokens: 0 }),
    pass: createToolSelector({ ...options, minTools: Number.MAX_SAFE_INTEGER }),
    minTools: options.minTools ?? 0,
    minTokens: options.minTokens ?? 0,
    alwaysInclude: new Set(options.alwaysInclude ?? []),
  };
}

/** What one selection of a turn is made from. */
export interface TurnSelectionRequest {
  readonly catalogue: Catalogue;
  readonly messages: readonly Message[];
  readonly userMessage: Message;
  readonly originalUserMessage: Message | undefined;
  readonly principal: Principal | undefined;
  readonly toolChoice: ToolChoice;
  readonly signal: AbortSignal | undefined;
  /** Tools that need no question, and why. */
  readonly passed: ReadonlyMap<string, PassReason>;
}

/** Selects for one turn; whether this conversation asks at all is decided once, and a suppressed change is noted. */
export async function selectForTurn(
  request: TurnSelectionRequest,
  selectors: TurnSelectors,
  session: ConversationSession,
): Promise<SelectionReport> {
  const { catalogue } = request;
  const definitions = definitionsOf(catalogue);
  const { worth, count } = worthAsking(catalogue, selectors);
  const mode = session.mode ?? (worth ? 'select' : 'skip');
  // While there is nothing to ask about, nothing is decided: the servers may be late, and a conversation is long.
  if (worth || count > 0) session.mode ??= mode;
  const selector = mode === 'select' ? selectors.ask : selectors.pass;
  const { report } = await selector.select(definitions, {
    messages: request.messages,
    userMessage: request.userMessage,
    originalUserMessage: request.originalUserMessage,
    principal: request.principal,
    toolChoice: request.toolChoice,
    passed: request.passed,
    toolsFingerprint: catalogue.fingerprint,
    tokensOf: (position) => (catalogue.tools[position] as RegisteredTool).tokens,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  if (worth === (mode === 'select')) return report;
  const note =
    mode === 'skip'
      ? 'The catalogue has grown enough to select from; this conversation goes on with all tools, as it began.'
      : 'The catalogue has become small; this conversation goes on selecting, as it began.';
  return { ...report, notes: [...report.notes, note] };
}

/** How many tools could be asked about, and whether asking saves more than it costs. */
function worthAsking(
  catalogue: Catalogue,
  selectors: TurnSelectors,
): { readonly worth: boolean; readonly count: number } {
  let count = 0;
  let tokens = 0;
  for (const tool of catalogue.tools) {
    if (tool.direct || tool.definition.visibility === 'always' || selectors.alwaysInclude.has(tool.name)) continue;
    count += 1;
    tokens += tool.tokens;
  }
  return { worth: count >= selectors.minTools && tokens >= selectors.minTokens, count };
}
