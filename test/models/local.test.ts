import { describe, expect, it, onTestFinished } from 'vitest';
import { localDecisionModel } from '../../src/relevance/local-decision-model.ts';
import { decisionModelContract } from '../../src/testing/decision-model-contract.ts';

const noService = 'there is no service behind it that could answer so';

decisionModelContract({ describe, expect, it, onTestFinished }, 'localDecisionModel', {
  start: () => ({ model: localDecisionModel(), received: () => [] }),
  scripted: false,
  skip: {
    choice: 'its answers cannot be told; choices are tested beside the model',
    scale: 'it refuses scales, as its documentation says',
    refusal: noService,
    'wrong-type': noService,
    garbage: noService,
    error: noService,
    hang: noService,
    'out-of-range': noService,
  },
});
