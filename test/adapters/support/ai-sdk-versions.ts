import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import { scriptedModel } from 'toolgate/testing';
import type { ScriptedStep } from 'toolgate/testing';
import type { AiSdkVersion } from '../drivers/ai-sdk.ts';
import { versionOf } from './version-of.ts';

/** Both versions of the SDK that are supported. */
export const versions: readonly AiSdkVersion[] = [
  {
    version: versionOf('ai6'),
    ai: ai6 as never,
    Mock: MockLanguageModelV3 as never,
    specificationVersion: 'v3',
  },
  { version: versionOf('ai'), ai, Mock: MockLanguageModelV4 as never, specificationVersion: 'v4' },
];

/** The SDK's own model for tests, with a script, and what it was asked. */
export function mockModel({ Mock, specificationVersion }: AiSdkVersion, script: readonly ScriptedStep[]) {
  const scripted = scriptedModel(script, { specificationVersion });
  const model = new Mock({
    doGenerate: (request: never) => scripted.doGenerate(request),
    doStream: (request: never) => scripted.doStream(request),
  } as never) as ai.LanguageModel;
  return { model, requests: scripted.requests };
}

/** Goes on for at most ten steps. */
export function tenSteps({ ai: sdk }: AiSdkVersion): never {
  const isStepCount = (sdk as unknown as { isStepCount?: typeof sdk.stepCountIs }).isStepCount ?? sdk.stepCountIs;
  return isStepCount(10) as never;
}

/** The messages that a call added. */
export function newMessages(result: unknown): ai.ModelMessage[] {
  const { responseMessages, response } = result as {
    responseMessages?: ai.ModelMessage[];
    response: { messages: ai.ModelMessage[] };
  };
  return responseMessages ?? response.messages;
}

/** The history with a yes or no to everything that was asked, as a chat's client writes it. */
export function answered(messages: readonly ai.ModelMessage[], approved: boolean, reason?: string): ai.ModelMessage[] {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const parts = typeof last?.content === 'string' ? [] : (last?.content ?? []);
  const content = parts.flatMap((part) =>
    part.type === 'tool-approval-request'
      ? [
          {
            type: 'tool-approval-response' as const,
            approvalId: part.approvalId,
            approved,
            ...(reason === undefined ? {} : { reason }),
          },
        ]
      : [],
  );
  return [...messages, { role: 'tool', content }];
}
