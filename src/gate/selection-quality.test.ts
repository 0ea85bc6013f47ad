import { describe, expect, it } from 'vitest';
import type { Message, Reply } from '../core/message.ts';
import type { Tool } from '../core/tool.ts';
import type { DecisionModel } from '../decision/port.ts';
import { localDecisionModel } from '../relevance/local-decision-model.ts';
import { tool } from '../schema/define-tool.ts';
import { createToolSelector } from '../select/select-tools.ts';
import { createToolGate } from './create-tool-gate.ts';

/** Failures of selection reported from the field, with the embedded model as it ships. */
const user = (content: string): Message => ({ role: 'user', content });
const names = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);

function described(texts: Readonly<Record<string, string>>, results: Readonly<Record<string, string>> = {}): Tool[] {
  return Object.entries(texts).map(([name, description]) =>
    tool({ name, description, input: { type: 'object', properties: {} }, execute: () => results[name] ?? 'done' }),
  );
}

/** The embedded model, with a count of its requests. */
function countedModel(): DecisionModel & { readonly requests: () => number } {
  const model = localDecisionModel();
  let requests = 0;
  return {
    ...model,
    decide(request, options) {
      requests += 1;
      return model.decide(request, options);
    },
    requests: () => requests,
  };
}

describe('reported failures of selection, with the embedded model', () => {
  const shop = {
    find_customer: 'Find a customer by name or mail',
    list_orders: 'List the orders of a customer id',
    refund_order: 'Refund an order id',
    list_products: 'List products',
    create_invoice: 'Create an invoice',
    send_mail: 'Send a mail',
  };
  const wish = user("Refund Anna Schmidt's last order and tell her by mail");
  const needed = ['find_customer', 'list_orders', 'refund_order', 'send_mail'];

  it('SQ-11 with room for four tools, none on the way to the asked one gives way to a look-alike', async () => {
    const selector = createToolSelector({
      decisionModel: localDecisionModel(),
      rule: { keep: { expectedRecall: 1, maxTools: 4 } },
    });
    const tools = described(shop);
    const { kept } = await selector.select(tools, { messages: [wish], userMessage: wish });
    expect(kept.map((position) => tools[position]?.name)).toEqual(needed);
  });

  it('SQ-11 a tool on the way that the first selection left out is one search away, and what was shown stays', async () => {
    const gate = createToolGate({
      providers: [{ provideTools: () => described(shop) }],
      selection: { minTools: 0, minTokens: 0 },
    });
    const messages: Message[] = [wish];
    let turn = await gate.turn({ messages, conversation: 'c' });
    expect(names(turn.tools)).toEqual(expect.arrayContaining(['search_tools', 'refund_order', 'send_mail']));
    for (const query of ['find a customer by name', 'list the orders of a customer']) {
      const reply: Reply = {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: query, toolName: 'search_tools', input: { query } }],
      };
      const { messages: results } = await turn.execute(reply);
      messages.push(reply, ...results);
      turn = await turn.refresh(messages);
    }
    expect(names(turn.tools)).toEqual(expect.arrayContaining(needed));
  });

  it('SQ-20 small talk gets no tool but the search tool: one request, not asked again, and not an error', async () => {
    const decisionModel = countedModel();
    const small = described({ get_weather: 'Weather', send_mail: 'Send a mail' });
    const gate = createToolGate({
      providers: [{ provideTools: () => small }],
      selection: { decisionModel, minTools: 0, minTokens: 0 },
    });
    const turn = await gate.turn({ messages: [user('Thanks, that is all. Good night!')], conversation: 'c' });
    expect(names(turn.tools)).toEqual(['search_tools']);
    expect(decisionModel.requests()).toBe(1);
    expect(turn.report).toMatchObject({ mode: 'select', asked: 2, failed: 0, requests: 1, degraded: false });
    expect(turn.report.notes).toContain('No tool fits this conversation.');
  });

  const web = { web_search: 'Search the web', read_file: 'Read a local file' };

  it.each([
    ["Don't answer without searching the web first: who won yesterday?", 'web_search'],
    ['Without looking online, what does README.md say?', 'read_file'],
  ])('SQ-22 no list of negations takes the tool away that is wanted: %s', async (text, wanted) => {
    const selector = createToolSelector({ decisionModel: localDecisionModel() });
    const tools = described(web);
    const { kept } = await selector.select(tools, { messages: [user(text)], userMessage: user(text) });
    expect(kept.map((position) => tools[position]?.name)).toContain(wanted);
  });

  it('SQ-22 the gate shows both tools for every such wish: with so few, nothing is judged and nothing removed', async () => {
    const gate = createToolGate({ providers: [{ provideTools: () => described(web) }] });
    for (const [place, text] of [
      "Don't answer without searching the web first: who won yesterday?",
      'Without looking online, what does README.md say?',
      'Summarise README.md, no web please',
    ].entries()) {
      const turn = await gate.turn({ messages: [user(text)], conversation: `c${place}` });
      expect(names(turn.tools), text).toEqual(expect.arrayContaining(['web_search', 'read_file']));
    }
  });

  it.skip('SQ-22 "Summarise README.md, no web please" asked of the embedded model alone: it reads the word "web" and knows neither that README.md is a file nor what "no" is about, so read_file stays below the rule', () => {});
});
