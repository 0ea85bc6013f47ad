/** `src/assistant`: the tool-calling loop, published as `toolgate/assistant`. It imports the gate and what lies below, and the AI SDK lazily. */
export { createAssistant } from './create-assistant.ts';
export { inProcessMemory } from './memory.ts';
export type { AssistantMemory } from './memory.ts';
export type { ModelUsage } from './call-model.ts';
export type {
  Assistant,
  AssistantModel,
  AssistantEvent,
  AssistantFinishReason,
  AssistantOptions,
  AssistantResponse,
  SendOptions,
  StatelessResume,
} from './types.ts';
