import * as ai from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import { aiSdkDriver } from './drivers/ai-sdk.ts';
import { runContract } from './support/run-contract.ts';
import { versionOf } from './support/version-of.ts';

const version = {
  version: versionOf('ai6'),
  ai: ai as never,
  Mock: MockLanguageModelV3 as never,
  specificationVersion: 'v3',
} as const;

runContract(aiSdkDriver(version));
runContract(aiSdkDriver(version, { shared: true }));
