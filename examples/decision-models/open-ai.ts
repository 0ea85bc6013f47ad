// OpenAI's decisions. With OPENAI_API_KEY: node examples/decision-models/open-ai.ts
import { openAiDecisionModel } from 'toolgate/models';
import { selectWith } from './catalogue.ts';

/** Against OpenAI, or against a server of the same form. */
export async function openAi(baseUrl?: string): Promise<void> {
  const decisionModel =
    baseUrl === undefined ? openAiDecisionModel() : openAiDecisionModel({ baseUrl: `${baseUrl}/v1`, apiKey: 'none' });
  await selectWith(decisionModel);
}

if (import.meta.main) await openAi();
