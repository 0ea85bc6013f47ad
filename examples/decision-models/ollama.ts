// A local Ollama with a decision model pulled (`ollama pull nimble`): node examples/decision-models/ollama.ts
import { ollamaDecisionModel } from 'toolgate/models';
import { selectWith } from './catalogue.ts';

/** Against the local server, or against another address. */
export async function ollama(baseUrl?: string): Promise<void> {
  await selectWith(ollamaDecisionModel({ model: 'nimble', baseUrl }));
}

if (import.meta.main) await ollama();
