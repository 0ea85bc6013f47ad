import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { aiSdkDriver } from './drivers/ai-sdk.ts';
import { runContract } from './support/run-contract.ts';
import { versionOf } from './support/version-of.ts';

const version = {
  version: versionOf('ai'),
  ai,
  Mock: MockLanguageModelV4 as never,
  specificationVersion: 'v4',
} as const;

runContract(aiSdkDriver(version));
runContract(aiSdkDriver(version, { shared: true }));
