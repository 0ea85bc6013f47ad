import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isPlainObject } from '../core/json.ts';

/** The result of one call as it stood on the wire, once it has come. */
export interface RawResultSlot {
  value?: Record<string, unknown>;
  id?: unknown;
}

/**
 * Keeps results of `tools/call` as they stand on the wire. Since 2026-07-28 the SDK's client checks them against its own idea,
 * also when it was given another, and refuses blocks of kinds it does not know; so it is handed an empty result in their place.
 * A call is known again by its arguments object, which the client passes on as it is.
 */
export class RawResults {
  readonly #byArguments = new WeakMap<object, RawResultSlot>();
  readonly #byId = new Map<unknown, RawResultSlot>();

  /** Puts itself between a connected client and its transport. */
  constructor(transport: Transport) {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const { method, params, id } = message as { method?: unknown; params?: { arguments?: unknown }; id?: unknown };
      const args = method === 'tools/call' ? params?.arguments : undefined;
      const slot = typeof args === 'object' && args !== null ? this.#byArguments.get(args) : undefined;
      if (slot !== undefined) {
        slot.id = id;
        this.#byId.set(id, slot);
      }
      return send(message, options);
    };
    const deliver = transport.onmessage?.bind(transport);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners, only this field
    transport.onmessage = (message, extra) => deliver?.(this.#keep(message) as typeof message, extra);
  }

  /** To be called with the very object that is then given to the client as `arguments`. */
  expect(args: object): RawResultSlot {
    const slot: RawResultSlot = {};
    this.#byArguments.set(args, slot);
    return slot;
  }

  /** The call is over, whether or not its result came. */
  forget(slot: RawResultSlot): void {
    this.#byId.delete(slot.id);
  }

  #keep(message: JSONRPCMessage): JSONRPCMessage {
    const { id, result, method } = message as { id?: unknown; result?: unknown; method?: unknown };
    if (method !== undefined || id === undefined) return message;
    const slot = this.#byId.get(id);
    if (slot === undefined) return message;
    this.#byId.delete(id);
    if (!isPlainObject(result)) return message;
    const { resultType } = result;
    if (resultType !== undefined && resultType !== 'complete') return message;
    const { resultType: _type, ...value } = result;
    slot.value = value;
    return {
      jsonrpc: '2.0',
      id,
      result: { content: [], ...(resultType === undefined ? {} : { resultType }) },
    } as unknown as JSONRPCMessage;
  }
}
