import type { ModelMessage, ToolCallPart as SdkToolCallPart } from 'ai';
import { describe, expectTypeOf, it } from 'vitest';
import type { Message, MessagePart, Reply } from './message.ts';

describe('messages', () => {
  it('take the AI SDK’s messages without a cast', () => {
    expectTypeOf<ModelMessage>().toExtend<Message>();
    expectTypeOf<ModelMessage[]>().toExtend<readonly Message[]>();
    expectTypeOf<SdkToolCallPart>().toExtend<MessagePart>();
  });

  it('take only assistant messages as replies', () => {
    expectTypeOf<Extract<ModelMessage, { role: 'assistant' }>>().toExtend<Reply>();
    expectTypeOf<Extract<ModelMessage, { role: 'user' }>>().not.toExtend<Reply>();
  });

  it('do not take parts without a type', () => {
    expectTypeOf<{ text: string }>().not.toExtend<MessagePart>();
  });
});
