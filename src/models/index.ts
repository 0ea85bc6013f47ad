/**
 * Decision models that people use, each behind the one port. They import the core and `src/decision` only, and no vendor's package: services are
 * called with plain `fetch`, frameworks' model objects are taken as they are.
 */
export { aiSdkDecisionModel } from './ai-sdk-decision-model.ts';
export type { AiSdkDecisionModelLike } from './ai-sdk-decision-model.ts';
export type { FrameworkDecisionModelOptions } from './framework-options.ts';
export type { HttpDecisionModelOptions } from './http-options.ts';
export { langchainDecisionModel } from './langchain-decision-model.ts';
export type { LangchainDecisionModelLike, LangchainDecisionModelOptions } from './langchain-decision-model.ts';
export { languageModelDecisionModel } from './language-model-decision-model.ts';
export type { LanguageModelDecisionModelOptions, LanguageModelLike } from './language-model-decision-model.ts';
export { ollamaDecisionModel } from './ollama-decision-model.ts';
export type { OllamaDecisionModelOptions } from './ollama-decision-model.ts';
export { openAiDecisionModel } from './open-ai-decision-model.ts';
export type { OpenAiDecisionModelOptions } from './open-ai-decision-model.ts';
export { systemOneDecisionModel } from './system-one-decision-model.ts';
export type { SystemOneDecisionModelOptions } from './system-one-decision-model.ts';
