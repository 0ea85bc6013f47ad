// Any decision model object of the AI SDK, for example openai.decisionModel('gpt-6-luna') of @ai-sdk/openai. A stand-in here, so no key is needed.
import { aiSdkDecisionModel } from 'toolgate/models';
import { selectWith } from './catalogue.ts';
import { judge } from './stand-in.ts';

interface CallOptions {
  readonly state: readonly unknown[];
  readonly questions: Readonly<Record<string, { readonly instructions: string }>>;
}

/** What `openai.decisionModel(…)` gives, as far as it matters. */
const model = {
  provider: 'stand-in.decision',
  modelId: 'words',
  supportedQuestionTypes: ['boolean'],
  doDecide: async ({ state, questions }: CallOptions) => ({
    answers: Object.fromEntries(
      Object.entries(questions).map(([id, { instructions }]) => [
        id,
        { type: 'boolean', probability: judge(JSON.stringify(state), instructions) },
      ]),
    ),
    warnings: [],
  }),
};

export async function aiSdk(): Promise<void> {
  await selectWith(aiSdkDecisionModel(model));
}

if (import.meta.main) await aiSdk();
