import { errorMessage, ToolgateError } from '../core/errors.ts';
import type { Span, SpanValue, Telemetry } from '../core/telemetry.ts';

/**
 * `src/telemetry` puts OpenTelemetry behind the port in the core. It imports the core only; `@opentelemetry/api` is an optional peer that is
 * loaded when somebody asks for it.
 */

/** A tracer of OpenTelemetry, as far as it is used. */
export interface OpenTelemetryTracer {
  startSpan(
    name: string,
    options?: { readonly attributes?: Readonly<Record<string, unknown>>; readonly root?: boolean },
  ): OpenTelemetrySpan;
}

/** A span of OpenTelemetry, as far as it is used. */
export interface OpenTelemetrySpan {
  setAttributes(attributes: never): unknown;
  addEvent(name: string, attributes?: never): unknown;
  recordException(error: never): void;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

/** Options of {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** Default: the global tracer named `toolgate`. */
  readonly tracer?: OpenTelemetryTracer | undefined;
}

/** `SpanStatusCode.ERROR`. */
const errorStatus = 2;

/**
 * Telemetry that goes to OpenTelemetry. Spans become children of whatever span is active where they start. Nothing that a tracer throws gets out.
 * Rejects with `peer-missing` when no tracer is given and `@opentelemetry/api` is not installed.
 */
export async function openTelemetry(options: OpenTelemetryOptions = {}): Promise<Telemetry> {
  const tracer = options.tracer ?? (await globalTracer());
  return {
    startSpan(name, attributes) {
      const span = quietly(() => tracer.startSpan(name, { attributes: copy(attributes) }));
      return span === undefined ? silentSpan : wrap(span);
    },
  };
}

async function globalTracer(): Promise<OpenTelemetryTracer> {
  try {
    const { trace } = await import('@opentelemetry/api');
    return trace.getTracer('toolgate');
  } catch (error) {
    throw new ToolgateError(
      'peer-missing',
      'OpenTelemetry is wanted, and @opentelemetry/api is not installed. Install it: npm install @opentelemetry/api',
      {
        data: { package: '@opentelemetry/api', range: '>=1.9' },
        cause: error,
      },
    );
  }
}

function wrap(span: OpenTelemetrySpan): Span {
  return {
    set(attributes) {
      quietly(() => span.setAttributes(copy(attributes) as never));
    },
    event(name, attributes) {
      quietly(() => span.addEvent(name, copy(attributes) as never));
    },
    end(error) {
      if (error !== undefined) {
        quietly(() => {
          span.recordException(error as never);
        });
        quietly(() => span.setStatus({ code: errorStatus, message: errorMessage(error) }));
      }
      quietly(() => {
        span.end();
      });
    },
  };
}

/** Tracers may keep what they are given: lists are copied. */
function copy(attributes: Readonly<Record<string, SpanValue>> | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...(value as readonly unknown[])] : value,
    ]),
  );
}

function quietly<Value>(call: () => Value): Value | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

const silentSpan: Span = { set() {}, event() {}, end() {} };
