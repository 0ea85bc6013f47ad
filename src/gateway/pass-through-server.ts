import { isInputRequiredResult, Server } from '@modelcontextprotocol/server';
import type { JSONRPCRequest, Result, ServerContext } from '@modelcontextprotocol/server';
import { isPlainObject } from '../core/json.ts';

type ToolCallHandler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK's server checks results of `tools/call` against its own idea of them and refuses blocks of kinds it does not know.
 * What stands behind this gateway has its own idea: results go out as they came. Requests are still checked.
 */
export class PassThroughServer extends Server {
  protected override _wrapHandler(method: string, handler: ToolCallHandler): ToolCallHandler {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    return async (request, context) => {
      let result: Result | undefined;
      const checked = super._wrapHandler(method, async (innerRequest, innerContext) => {
        const given = await handler(innerRequest, innerContext);
        if (isInputRequiredResult(given)) return given;
        result = given;
        return { content: [] };
      });
      const answer = await checked(request, context);
      if (result === undefined || isInputRequiredResult(answer)) return answer;
      return this.#fitToEra(result);
    };
  }

  /** Before 2026-07-28 the structured part had to be an object; older clients refuse anything else. */
  #fitToEra(result: Result): Result {
    const structured = result['structuredContent'];
    if (structured === undefined || isPlainObject(structured) || this.isModern()) return result;
    const { structuredContent: _structured, ...rest } = result;
    return structured === null ? rest : { ...rest, structuredContent: { result: structured } };
  }

  /** True when the connection speaks 2026-07-28 or later. */
  isModern(): boolean {
    return (this.getNegotiatedProtocolVersion() ?? '') >= '2026-07-28';
  }
}
