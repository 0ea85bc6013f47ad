/** A port of three methods that OpenTelemetry's tracer fits behind (see `src/telemetry`). Must never throw. */
export interface Telemetry {
  startSpan(name: string, attributes?: Readonly<Record<string, SpanValue>>): Span;
}

/** A value of a span's attribute. */
export type SpanValue = string | number | boolean | readonly string[] | readonly number[];

/** One timed operation. */
export interface Span {
  set(attributes: Readonly<Record<string, SpanValue>>): void;
  event(name: string, attributes?: Readonly<Record<string, SpanValue>>): void;
  /** Ends the span; with an error it is marked as failed. */
  end(error?: unknown): void;
}

const noSpan: Span = { set() {}, event() {}, end() {} };

/** Records nothing. The default. */
export const noTelemetry: Telemetry = { startSpan: () => noSpan };
