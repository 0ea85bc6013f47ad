// TypeSafe (TYPESAFE_API_KEY), OpenRouter, or any server that speaks System One: node examples/decision-models/system-one.ts
import { systemOneDecisionModel } from 'toolgate/models';
import { selectWith } from './catalogue.ts';

/** Against TypeSafe, or against a server of the same form. For OpenRouter: `baseUrl: 'https://openrouter.ai/api', model: 'typesafe/jev-1.13'`. */
export async function systemOne(baseUrl?: string): Promise<void> {
  await selectWith(
    baseUrl === undefined
      ? systemOneDecisionModel({ model: 'jev-1.13' })
      : systemOneDecisionModel({ baseUrl, model: 'any' }),
  );
}

if (import.meta.main) await systemOne();
