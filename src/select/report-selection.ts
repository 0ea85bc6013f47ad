import { errorMessage } from '../core/errors.ts';
import { noTelemetry } from '../core/telemetry.ts';
import type { Span } from '../core/telemetry.ts';
import type { ResolvedSelectionOptions } from './select-options.ts';
import type { Selection } from './selection.ts';
import type { SelectionReport } from './types.ts';

/** A trace backend has limits of its own; of more tools than this the most probable are listed. */
const mostListed = 100;

/** Opens the span of a selection. Tracing that fails is as good as none. */
export function startSelectionSpan(options: ResolvedSelectionOptions, tools: number): Span | undefined {
  return quietly(() =>
    options.telemetry.startSpan('toolgate.select', {
      'toolgate.selection.tools': tools,
      'toolgate.decision.provider': options.model.provider,
      'toolgate.decision.model': options.model.modelId,
    }),
  );
}

/** Tells the log, the trace and the caller's hook. None of them can change or break the selection. */
export function reportSelection(
  selection: Selection,
  degraded: string | undefined,
  span: Span | undefined,
  options: ResolvedSelectionOptions,
): void {
  const { logger, onSelection, telemetry } = options;
  if (degraded !== undefined) quietly(() => logger.warn(degraded));
  if (!isSilent(telemetry)) {
    quietly(() => {
      span?.set(spanAttributes(selection.report));
    });
  }
  quietly(() => span?.end());
  if (onSelection === undefined) return;
  try {
    // A hook that returns a promise after all must not end as an unhandled rejection.
    void Promise.resolve(onSelection(selection.report) as unknown).catch((error: unknown) => complain(options, error));
  } catch (error) {
    complain(options, error);
  }
}

/** Numbers, names and probabilities; never a message's text. */
function spanAttributes(report: SelectionReport): Parameters<Span['set']>[0] {
  const kept = report.entries.filter((entry) => entry.kept);
  const scored = report.entries
    .filter((entry) => entry.probability !== undefined)
    .sort((a, b) => (b.probability ?? 0) - (a.probability ?? 0))
    .slice(0, mostListed);
  return {
    'toolgate.selection.kept': kept.length,
    'toolgate.selection.mode': report.mode,
    'toolgate.selection.asked': report.asked,
    'toolgate.selection.failed': report.failed,
    'toolgate.selection.requests': report.requests,
    'toolgate.selection.cached': report.cached,
    'toolgate.selection.degraded': report.degraded,
    'toolgate.selection.tokens.all': report.tokens.all,
    'toolgate.selection.tokens.shown': report.tokens.shown,
    'toolgate.selection.kept.names': kept.slice(0, mostListed).map((entry) => entry.name),
    'toolgate.selection.scored.names': scored.map((entry) => entry.name),
    'toolgate.selection.scored.probabilities': scored.map((entry) => entry.probability ?? 0),
    ...(report.usage?.inputTokens === undefined
      ? {}
      : { 'toolgate.decision.usage.input_tokens': report.usage.inputTokens }),
    ...(report.usage?.outputTokens === undefined
      ? {}
      : { 'toolgate.decision.usage.output_tokens': report.usage.outputTokens }),
  };
}

function isSilent(telemetry: ResolvedSelectionOptions['telemetry']): boolean {
  return telemetry === noTelemetry;
}

function complain(options: ResolvedSelectionOptions, error: unknown): void {
  quietly(() => options.logger.warn('onSelection failed; the selection stands.', { error: errorMessage(error) }));
}

/** Neither a logger nor a trace that fails has a place to say so. */
export function quietly<Value>(call: () => Value): Value | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
