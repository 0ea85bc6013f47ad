// The embedded decision model: no key, no network. node examples/decision-models/embedded.ts
import { localDecisionModel } from 'toolgate';
import { selectWith } from './catalogue.ts';

export async function embedded(): Promise<void> {
  await selectWith(localDecisionModel());
}

if (import.meta.main) await embedded();
