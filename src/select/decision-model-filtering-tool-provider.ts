import type { ToolProvider, ToolProviderRequest } from '../core/provider.ts';
import type { Logger } from '../core/logger.ts';
import { ToolgateError } from '../core/errors.ts';
import type { Tool } from '../core/tool.ts';
import { createToolSelector } from './select-tools.ts';
import type { ToolSelector } from './select-tools.ts';
import type { SelectionOptions } from './select-options.ts';

/** A selection in front of one tool provider. */
export interface DecisionModelFilteringToolProviderOptions extends SelectionOptions {
  /** The provider whose tools are filtered. */
  readonly toolProvider: ToolProvider;
  /** Default: warnings and errors go to the console, since a fallback to all tools should not go unseen. */
  readonly logger?: Logger | undefined;
}

/**
 * A tool provider that passes on only those tools of another provider that are relevant to the conversation, as a decision model sees it. It
 * selects before the model's first call, so no search round trip is needed. It keeps no state: a dynamic provider is selected from again before
 * each call of the model. Only the wrapped provider's tools are filtered; tools marked `visibility: 'always'`, those in `alwaysInclude` and
 * those already called in the conversation pass without a question. Relevance is not authorisation: what is left out is hidden, not forbidden.
 * (LangChain4j: `DecisionModelFilteringToolProvider`.)
 */
export class DecisionModelFilteringToolProvider implements ToolProvider {
  /** The wrapped provider's: a filter changes which tools there are, not whose they are. */
  declare readonly id?: string;
  readonly #toolProvider: ToolProvider;
  readonly #selector: ToolSelector;

  /** Throws `invalid-option` for options that cannot be used. */
  constructor(options: DecisionModelFilteringToolProviderOptions) {
    if (typeof options.toolProvider?.provideTools !== 'function') {
      throw new ToolgateError('invalid-option', 'A tool provider to filter is required.', {
        data: { option: 'toolProvider' },
      });
    }
    if (options.toolProvider.id !== undefined) this.id = options.toolProvider.id;
    this.#toolProvider = options.toolProvider;
    this.#selector = createToolSelector({ ...options, logger: options.logger ?? warningsToConsole });
  }

  /** As the wrapped provider. */
  get dynamic(): boolean {
    return this.#toolProvider.dynamic === true;
  }

  /**
   * The wrapped provider's own tool objects that were kept, in its order. Previous messages are only known as far as they are in
   * `request.messages`. Rejects as the wrapped provider does, and as `ToolSelector.select`.
   */
  async provideTools(request: ToolProviderRequest): Promise<readonly Tool[]> {
    const tools = await this.#toolProvider.provideTools(request);
    // A provider in plain JavaScript may give nothing at all; that is its own affair.
    if (!Array.isArray(tools) || tools.length === 0) return tools;
    const { kept } = await this.#selector.select(tools, request);
    return kept.length === tools.length ? tools : kept.map((position) => (tools as readonly Tool[])[position] as Tool);
  }
}

const warningsToConsole: Logger = {
  debug() {},
  info() {},
  warn(message, details) {
    // oxlint-disable-next-line no-console -- the documented default of this one class
    console.warn(message, details);
  },
  error(message, details) {
    // oxlint-disable-next-line no-console -- as above
    console.error(message, details);
  },
};
