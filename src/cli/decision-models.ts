import { ToolgateError } from '../core/errors.ts';
import type { DecisionModel } from '../decision/port.ts';
import { localDecisionModel } from '../relevance/local-decision-model.ts';
import type { CommandIo } from './io.ts';

/** What `--model` takes; what follows a colon is the model's own id. */
export const decisionModelNames: readonly string[] = ['local', 'openai[:id]', 'typesafe[:id]', 'ollama:id', 'URL#id'];

/** The decision model that a name stands for. Keys come from the vendors' usual environment variables. */
export async function decisionModelOf(name: string, _io: CommandIo): Promise<DecisionModel> {
  if (name === 'local') return localDecisionModel();
  const models = await import('../models/index.ts');
  if (/^https?:\/\//.test(name)) {
    const [baseUrl = '', model] = name.split('#');
    return models.systemOneDecisionModel({ baseUrl, ...(model === undefined ? {} : { model }) });
  }
  const [vendor, ...rest] = name.split(':');
  const id = rest.join(':');
  const model = id === '' ? {} : { model: id };
  if (vendor === 'openai') return models.openAiDecisionModel(model);
  if (vendor === 'typesafe') return models.systemOneDecisionModel(model);
  if (vendor === 'ollama' && id !== '') return models.ollamaDecisionModel({ model: id });
  throw new ToolgateError(
    'invalid-option',
    `There is no decision model ${JSON.stringify(name)}. Known are: ${decisionModelNames.join(', ')}.`,
    { data: { option: 'model' } },
  );
}
