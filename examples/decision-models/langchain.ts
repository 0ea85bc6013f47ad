// A decision model of LangChain.js (BaseDecisionModel of @langchain/core/decisions). An object of the same form here, so nothing has to be installed.
import { langchainDecisionModel } from 'toolgate/models';
import { selectWith } from './catalogue.ts';
import { judge } from './stand-in.ts';

interface ClassifierRequest {
  readonly state: unknown;
  readonly questions: Readonly<Record<string, { readonly instructions: string }>>;
}

const model = {
  model: 'words',
  async invoke({ state, questions }: ClassifierRequest) {
    const answers = Object.entries(questions).map(([id, { instructions }]) => [
      id,
      { type: 'noul', noul: judge(JSON.stringify(state), instructions) },
    ]);
    return { model: 'words', answers: Object.fromEntries(answers) as unknown };
  },
};

export async function langchain(): Promise<void> {
  await selectWith(langchainDecisionModel(model));
}

if (import.meta.main) await langchain();
