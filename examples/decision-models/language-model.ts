// Any chat model of the AI SDK, for example anthropic('…') of @ai-sdk/anthropic. A mock of the AI SDK here, so no key is needed.
import { MockLanguageModelV4 } from 'ai/test';
import { languageModelDecisionModel } from 'toolgate/models';
import { selectWith } from './catalogue.ts';
import { judge } from './stand-in.ts';

const model = new MockLanguageModelV4({
  provider: 'mock',
  modelId: 'chat',
  doGenerate: async ({ prompt }) => {
    const [part] = prompt[1]?.content ?? [];
    const text = typeof part === 'object' && part.type === 'text' ? part.text : '{}';
    const { state, questions } = JSON.parse(text) as { state: unknown; questions: Record<string, { text: string }> };
    const answers = Object.entries(questions).map(([key, question]) => [
      key,
      judge(JSON.stringify(state), question.text),
    ]);
    return {
      content: [{ type: 'text', text: JSON.stringify(Object.fromEntries(answers)) }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
      warnings: [],
    };
  },
});

export async function languageModel(): Promise<void> {
  await selectWith(languageModelDecisionModel(model));
}

if (import.meta.main) await languageModel();
