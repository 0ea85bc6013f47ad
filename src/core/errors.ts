import type { ToolgateErrorCode } from './error-codes.ts';
import { isPlainObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';

const brand: unique symbol = Symbol.for('toolgate.error') as never;

/** An error as JSON. Survives `JSON.stringify` and `structuredClone`. */
export interface SerializedError {
  readonly name: string;
  readonly code: ToolgateErrorCode;
  readonly message: string;
  readonly data: JsonObject;
}

/** The one error class. `code` is for programs, `message` for people, `data` holds what {@link ToolgateErrorCode} documents. */
export class ToolgateError extends Error {
  readonly code: ToolgateErrorCode;
  readonly data: JsonObject;

  constructor(
    code: ToolgateErrorCode,
    message: string,
    options?: { readonly data?: JsonObject; readonly cause?: unknown },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ToolgateError';
    this.code = code;
    this.data = options?.data ?? {};
    Object.defineProperty(this, brand, { value: true });
  }

  toJSON(): SerializedError {
    return { name: this.name, code: this.code, message: this.message, data: this.data };
  }

  /** Brings back what {@link ToolgateError.toJSON} made, of the right class. Throws `invalid-option` for anything else. */
  static fromJSON(value: unknown): ToolgateError {
    if (!isPlainObject(value) || typeof value['code'] !== 'string' || typeof value['message'] !== 'string') {
      throw new ToolgateError(
        'invalid-option',
        'Not a serialized toolgate error: expected an object with code and message.',
        {
          data: { option: 'value' },
        },
      );
    }
    const data = isPlainObject(value['data']) ? (value['data'] as JsonObject) : {};
    const code = value['code'] as ToolgateErrorCode;
    if (code === 'confirmation-required') {
      const ids = data['toolCallIds'];
      const keys = Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
      return new ToolCallConfirmationRequiredError(keys, readPause(data['pause']), value['message']);
    }
    return new ToolgateError(code, value['message'], { data });
  }
}

/** What is known of a pause that was stored or sealed. */
export interface PauseReference {
  /** The pause's id where a store keeps it. */
  readonly id?: string;
  /** Milliseconds since the epoch, or null when it waits for ever. */
  readonly expiresAt?: number | null;
  /** The sealed state, where it travels through a client. */
  readonly token?: string;
}

/**
 * Calls of a reply wait for a person. None of the calls that wait has run. A tool-calling loop pauses on it: it returns the reply to
 * its caller as the model gave it, with the keys under `ToolCallDecisions.AWAITING_DECISION_METADATA_KEY`.
 * (Spring AI: `ToolCallConfirmationRequiredException`.)
 */
export class ToolCallConfirmationRequiredError extends ToolgateError {
  /** The keys of the calls that wait (see `ToolCallDecisions.toolCallKeys`), in the order the model asked for them. */
  readonly toolCallIds: readonly string[];
  readonly pause: PauseReference | undefined;

  constructor(toolCallIds: readonly string[], pause?: PauseReference, message?: string) {
    const count = toolCallIds.length;
    super(
      'confirmation-required',
      message ??
        `${count === 1 ? 'A tool call waits' : `${count} tool calls wait`} for a decision: ${toolCallIds.join(', ')}. ` +
          'Collect a decision for each and execute the reply with them.',
      { data: pause === undefined ? { toolCallIds } : { toolCallIds, pause: { ...pause } as JsonObject } },
    );
    this.name = 'ToolCallConfirmationRequiredError';
    this.toolCallIds = [...toolCallIds];
    this.pause = pause;
  }
}

function readPause(value: JsonValue | undefined): PauseReference | undefined {
  if (!isPlainObject(value)) return undefined;
  const { id, expiresAt, token } = value;
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof expiresAt === 'number' || expiresAt === null ? { expiresAt } : {}),
    ...(typeof token === 'string' ? { token } : {}),
  };
}

/** True for errors of toolgate, also from another copy of the package. */
export function isToolgateError(value: unknown): value is ToolgateError {
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true;
}

/** The text of whatever was thrown. */
export function errorMessage(value: unknown): string {
  if (value instanceof Error) return value.message;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
