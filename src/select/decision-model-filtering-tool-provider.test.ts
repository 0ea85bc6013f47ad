import { describe, expect, it } from 'vitest';
import type { Message } from '../core/message.ts';
import type { ToolProvider, ToolProviderRequest } from '../core/provider.ts';
import type { Tool } from '../core/tool.ts';
import { scriptedDecisionModel } from '../testing/scripted-decision-model.ts';
import { DecisionModelFilteringToolProvider } from './decision-model-filtering-tool-provider.ts';
import { silentLogger } from '../core/logger.ts';

function toolNamed(name: string, more?: Partial<Tool>): Tool {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, execute: () => name, ...more };
}

function providerOf(tools: readonly Tool[], dynamic?: boolean): ToolProvider {
  return dynamic === undefined ? { provideTools: () => tools } : { dynamic, provideTools: () => tools };
}

function requestFor(text: string, messages: readonly Message[] = []): ToolProviderRequest {
  return {
    userMessage: { role: 'user', content: text },
    messages,
    invocation: { id: 'i1', attributes: {} },
    signal: new AbortController().signal,
  };
}

const names = (tools: readonly Tool[]): readonly string[] => tools.map((tool) => tool.name);

describe('DecisionModelFilteringToolProvider', () => {
  it('[selection.relevant] passes on only the tools that the decision model finds relevant, the same objects in the same order', async () => {
    const tools = [toolNamed('a'), toolNamed('b', { returnBehavior: 'immediate' }), toolNamed('c'), toolNamed('d')];
    const decisionModel = scriptedDecisionModel({ scores: { a: 0.2, b: 0.6, c: 0.49, d: 0.9 } });
    const provider = new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools), decisionModel });
    const passed = await provider.provideTools(requestFor('do d and b'));
    expect(passed).toEqual([tools[1], tools[3]]);
    expect(passed[0]).toBe(tools[1]);
    expect(passed[1]).toBe(tools[3]);
  });

  it('[selection.minimum] keeps a tool whose probability reaches the minimum exactly', async () => {
    const tools = [toolNamed('a'), toolNamed('b')];
    const decisionModel = scriptedDecisionModel({ scores: { a: 0.5, b: 0.4999 } });
    const provider = new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools), decisionModel });
    expect(names(await provider.provideTools(requestFor('go')))).toEqual(['a']);
  });

  it('[selection.always] passes marked, included and called tools without a question', async () => {
    const tools = [toolNamed('a', { visibility: 'always' }), toolNamed('b'), toolNamed('c'), toolNamed('d')];
    const decisionModel = scriptedDecisionModel();
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf(tools),
      decisionModel,
      alwaysInclude: ['b'],
    });
    const messages: Message[] = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'c', input: {} }] },
    ];
    expect(names(await provider.provideTools(requestFor('next', messages)))).toEqual(['a', 'b', 'c']);
    const asked = Object.values(decisionModel.requests[0]?.questions ?? {});
    expect(asked.map((question) => (question.type === 'yes-no' ? question.about?.tool.name : ''))).toEqual(['d']);
  });

  it('[selection.no-text] passes all tools when the user message has no text', async () => {
    const tools = [toolNamed('a'), toolNamed('b')];
    const decisionModel = scriptedDecisionModel();
    const provider = new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools), decisionModel });
    const request = { ...requestFor(''), userMessage: { role: 'user', content: [{ type: 'image' }] } };
    expect(await provider.provideTools(request)).toBe(tools);
    expect(decisionModel.requests).toEqual([]);
  });

  it('[selection.fallback] passes all tools and warns when the decision model fails', async () => {
    const tools = [toolNamed('a'), toolNamed('b')];
    const warnings: string[] = [];
    const provider = new DecisionModelFilteringToolProvider({
      toolProvider: providerOf(tools),
      decisionModel: scriptedDecisionModel({ script: () => Promise.reject(new Error('down')) }),
      logger: { ...silentLogger, warn: (message) => warnings.push(message) },
    });
    expect(names(await provider.provideTools(requestFor('go')))).toEqual(['a', 'b']);
    expect(warnings).toEqual([
      'Failed to select tools, all tools are passed on: The decision model of scripted failed: down',
    ]);
  });

  it('[selection.dynamic] is dynamic when the wrapped provider is, and selects again on each call', async () => {
    const tools = [toolNamed('a'), toolNamed('b')];
    const decisionModel = scriptedDecisionModel({ scores: { a: 0.9 } });
    const provider = new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools, true), decisionModel });
    expect(provider.dynamic).toBe(true);
    expect(new DecisionModelFilteringToolProvider({ toolProvider: providerOf(tools), decisionModel }).dynamic).toBe(
      false,
    );
    await provider.provideTools(requestFor('go'));
    await provider.provideTools(requestFor('go'));
    expect(decisionModel.requests).toHaveLength(2);
  });
});
