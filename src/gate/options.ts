import type { NameStore, PrefixRule, RegisteredTool } from '../catalog/types.ts';
import type { ToolCallingManagerOptions } from '../confirm/manager-options.ts';
import type { ConfirmationStore } from '../confirm/store-port.ts';
import type { Clock } from '../core/clock.ts';
import type { IdSource } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { Principal } from '../core/principal.ts';
import type { ToolProvider } from '../core/provider.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { Tool } from '../core/tool.ts';
import type { ToolSearchStrategy } from '../search/port.ts';
import type { SelectionLabel } from '../select/selection-labels.ts';
import type { SelectionOptions } from '../select/select-options.ts';
import type { SelectionReport } from '../select/types.ts';

/** How tools are selected in a gate. */
export interface GateSelectionOptions extends Omit<
  SelectionOptions,
  'decisionModel' | 'clock' | 'logger' | 'telemetry' | 'onSelection'
> {
  /** Default: the embedded one. */
  readonly decisionModel?: SelectionOptions['decisionModel'];
  /** Default: for models that are asked in batches, the hundred tools that the embedded model puts first; else none. */
  readonly shortlist?: SelectionOptions['shortlist'];
  /** Below this many tools to ask about all are shown. Default 13: asking would cost more than it saves. */
  readonly minTools?: number;
  /** Below this many tokens of tools to ask about all are shown. Default 2,000. */
  readonly minTokens?: number;
  /**
   * At most this many tokens of tools are shown. Kept by leaving out the least recently used tools, at a new user message only, never
   * called, found, forced, waiting, direct or always visible ones. Default: no limit.
   */
  readonly tokenBudget?: number;
  /** False: tools shown earlier may disappear again when a later selection leaves them out. Default true: the list only grows. */
  readonly sticky?: boolean;
}

/** What waits, and how. */
export type GateConfirmOptions = Omit<
  ToolCallingManagerOptions,
  'store' | 'authorise' | 'wasKnown' | 'tools' | 'clock' | 'ids' | 'logger' | 'telemetry'
>;

/** Which tools were useful for one user message, as far as calls tell. Several records may share an id: they are about the same message. */
export interface SelectionLabels {
  /** A digest of conversation and user message. */
  readonly id: string;
  readonly labels: readonly SelectionLabel[];
}

export interface ToolGateOptions {
  /** The host's own tools: never filtered, still gated. */
  readonly tools?: readonly Tool[];
  /** Tools that are selected from and searched. */
  readonly providers?: readonly ToolProvider[];
  /** Whether this principal may use this tool. What it may not use is not listed, found, hinted at or run. A throw counts as no. Default: all. */
  readonly allow?: (tool: RegisteredTool, principal: Principal | undefined) => boolean | Promise<boolean>;
  /** False: every tool is shown. Default: selected by the embedded decision model. */
  readonly selection?: GateSelectionOptions | false;
  /** How the model searches for what it was not shown; false: it cannot. Default: the embedded decision model's, as `search_tools`. */
  readonly search?: ToolSearchStrategy | false;
  readonly confirm?: GateConfirmOptions;
  /** Keeps what waits. Without one a pause lives in the conversation alone, and "at most once" cannot be promised. */
  readonly store?: ConfirmationStore;
  readonly prefix?: PrefixRule;
  readonly names?: NameStore;
  /** How long one provider may take, in milliseconds. Default 10,000. */
  readonly providerTimeoutMs?: number;
  /** Conversations whose shown list is remembered in this process. Default 10,000. */
  readonly maxConversations?: number;
  /** Told of every selection. What it throws is logged and changes nothing. */
  readonly onSelection?: (
    report: SelectionReport,
    request: { readonly conversation: string | undefined; readonly principal: Principal | undefined },
  ) => void;
  /**
   * Told, whenever a reply has run, which of the tools that were asked about were called: with `selection.mode: 'shadow'` this is what
   * `toolgate report` and `toolgate tune` read, one JSON object a line. Holds names and numbers, no message text. What it throws is logged.
   */
  readonly onLabels?: (record: SelectionLabels) => void;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  readonly logger?: Logger;
  readonly telemetry?: Telemetry;
}
