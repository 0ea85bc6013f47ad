/**
 * `toolgate`: selection, search and confirmation of tool calls. This entry needs no Node module and no framework; stores
 * for databases, adapters for frameworks and the gateway have entries of their own.
 */

// Tools and conversations
export { tool } from './schema/define-tool.ts';
export type {
  ArgumentIssue,
  ContentBlock,
  JsonSchema,
  ParsedArguments,
  ReturnBehavior,
  Tool,
  ToolAnnotations,
  ToolCallContext,
  ToolContext,
  ToolDefinition,
  ToolResult,
  ToolServer,
} from './core/tool.ts';
export type { Message, MessagePart, Reply, ToolCallPart } from './core/message.ts';
export type { Principal } from './core/principal.ts';
export type { Invocation, ToolProvider, ToolProviderRequest } from './core/provider.ts';
export type { JsonObject, JsonValue } from './core/json.ts';
export { toToolResult, textResult, resultText } from './core/result.ts';
export type {
  Catalogue,
  CatalogueProblem,
  NameStore,
  PrefixRule,
  RegisteredTool,
  ToolLookup,
} from './catalog/types.ts';

// The gate
export { createToolGate } from './gate/create-tool-gate.ts';
export type { GateConfirmOptions, GateSelectionOptions, SelectionLabels, ToolGateOptions } from './gate/options.ts';
export type { GateSearchRequest, GateSearchResult, ToolChoice, ToolGate, ToolTurn, TurnRequest } from './gate/types.ts';

// Selection
export { DecisionModelFilteringToolProvider } from './select/decision-model-filtering-tool-provider.ts';
export type { DecisionModelFilteringToolProviderOptions } from './select/decision-model-filtering-tool-provider.ts';
export { createToolSelector, selectTools } from './select/select-tools.ts';
export type { SelectToolsRequest, ToolSelector } from './select/select-tools.ts';
export { explainSelection } from './select/explain-selection.ts';
export type { FallbackStrategy, SelectionOptions } from './select/select-options.ts';
export type { SelectionEntry, SelectionReason, SelectionReport } from './select/types.ts';
export { strategyShortlist } from './select/strategy-shortlist.ts';
export { memorySelectionCache } from './select/selection-cache.ts';
export type { SelectionCache } from './select/selection-cache.ts';
export { selectionLabels } from './select/selection-labels.ts';
export type { SelectionLabel } from './select/selection-labels.ts';
export { defaultQuestionTemplate } from './decision/question-template.ts';
export { localDecisionModel } from './relevance/local-decision-model.ts';
export type {
  Answer,
  ChoiceAnswer,
  ChoiceQuestion,
  DecisionContext,
  DecisionModel,
  DecisionModelLimits,
  DecisionRequest,
  DecisionResponse,
  DecisionUsage,
  Question,
  RefusalAnswer,
  ScaleAnswer,
  ScaleQuestion,
  SelectionRule,
  YesNoAnswer,
  YesNoQuestion,
} from './decision/port.ts';

// Search
export { SimpleToolSearchStrategy } from './search/simple-strategy.ts';
export type { SimpleToolSearchOptions } from './search/simple-strategy.ts';
export { Bm25ToolSearchStrategy } from './search/bm25-strategy.ts';
export type { Bm25ToolSearchOptions } from './search/bm25-strategy.ts';
export { NgramToolSearchStrategy } from './search/ngram-strategy.ts';
export type { NgramToolSearchOptions } from './search/ngram-strategy.ts';
export { RegexToolSearchStrategy } from './search/regex-strategy.ts';
export { EmbeddingToolSearchStrategy } from './search/embedding-strategy.ts';
export type { EmbeddingToolSearchOptions } from './search/embedding-strategy.ts';
export type { EmbedFunction, EmbeddingModelLike } from './search/embedder.ts';
export { memoryEmbeddingCache } from './search/embedding-cache.ts';
export type { EmbeddingCache } from './search/embedding-cache.ts';
export { fileEmbeddingCache } from './search/embedding-cache-file.ts';
export { HybridToolSearchStrategy } from './search/hybrid-strategy.ts';
export type { HybridPart, HybridToolSearchOptions } from './search/hybrid-strategy.ts';
export { DecisionModelToolSearchStrategy } from './search/decision-model-strategy.ts';
export type { DecisionModelToolSearchOptions } from './search/decision-model-strategy.ts';
export { TextQueryToolSearchStrategy } from './search/text-query-strategy.ts';
export type { RankingToolSearchStrategy, RankRequest, SearchToolTexts } from './search/text-query-strategy.ts';
export type { SearchToolOptions } from './search/search-tool-options.ts';
export { createTokenizer } from './text/tokenizer.ts';
export type { Tokenizer, TokenizerOptions } from './text/tokenizer.ts';
export { createSearchService } from './search/search-service.ts';
export type { AmbiguousName, SearchOutcome } from './search/search-outcome.ts';
export type { SearchArea } from './search/servers.ts';
export type { SearchContext, SearchService, SearchServiceOptions } from './search/search-service.ts';
export type { FoundTool, ToolSearchRequest, ToolSearchResult, ToolSearchStrategy } from './search/port.ts';

// Confirmation
export { ToolCallingManager } from './confirm/manager.ts';
export type { ExecuteOptions, ResumeOptions, SingleCall, SingleCallOptions } from './confirm/manager.ts';
export type { ToolCallingManagerOptions, ToolsInput } from './confirm/manager-options.ts';
export type { PolicyInput } from './confirm/compile-policy.ts';
export { destructive, everything, riskJudge, unannotated } from './confirm/policies.ts';
export type { RiskJudgeOptions } from './confirm/policies.ts';
export { testPolicy } from './confirm/test-policy.ts';
export type { PolicyTestResult, RecordedPolicyCall } from './confirm/test-policy.ts';
export type { ClaimAnswer, HostClaim } from './confirm/claim-for-host.ts';
export type { RulePreview, RuleScope, StandingRules } from './confirm/standing-rules.ts';
export type { StandingRule } from './confirm/records.ts';
export type { Retention, SweepReport } from './confirm/sweep.ts';
export { verifyAudit } from './confirm/verify-audit.ts';
export type { AuditProblem, AuditReport } from './confirm/verify-audit.ts';
export { deliverWebhooks, signWebhook } from './confirm/webhook-outbox.ts';
export type { DeliveryReport, WebhookOptions } from './confirm/webhook-outbox.ts';
export { ToolCallDecisions } from './confirm/tool-call-decisions.ts';
export type { ToolCallDecisionsOptions } from './confirm/tool-call-decisions.ts';
export { memoryStore } from './stores/memory.ts';
export type { ConfirmationStore } from './confirm/store-port.ts';
export type {
  CallView,
  ConfirmationDemand,
  Confirmations,
  DecisionAnswer,
  PauseFilter,
  PauseView,
  PolicyCall,
  PolicyRules,
  PolicyVerdict,
  ToolCallConfirmationPolicy,
  ToolConversation,
  ToolExecution,
} from './confirm/types.ts';
export type { Decision, DecisionMaker, RecordedDecision } from './core/decision.ts';
export type { Outcome, OutcomeStatus } from './core/outcome.ts';

// What all of it rests on
export { ToolCallConfirmationRequiredError, ToolgateError, isToolgateError } from './core/errors.ts';
export type { PauseReference, SerializedError } from './core/errors.ts';
export type { ToolgateErrorCode } from './core/error-codes.ts';
export { callTransitions, isFinalCallState, nextCallState, transitionCall } from './core/call-state.ts';
export type { CallEvent, CallState } from './core/call-state.ts';
export type { CallIdentity } from './core/call-identity.ts';
export { canonicalJson } from './core/canonical-json.ts';
export { digestJson } from './core/digest.ts';
export type { Digest } from './core/digest.ts';
export { fingerprintTool } from './core/fingerprint.ts';
export type { Clock } from './core/clock.ts';
export type { IdSource } from './core/ids.ts';
export type { Logger } from './core/logger.ts';
export type { Span, SpanValue, Telemetry } from './core/telemetry.ts';

// Types that options and results mention
export type { ProgressListener } from './confirm/call-context.ts';
export type { HiddenRule } from './confirm/find-tool.ts';
export type { RiskModel } from './confirm/policies.ts';
export type { AuditRow, CallRecord, PauseRecord } from './confirm/records.ts';
export type { SecretInput } from './confirm/sealing-keys.ts';
export type { DecisionModelListener } from './decision/listeners.ts';
export type { GateCallOptions, GateCalls } from './gate/single-calls.ts';
export type { ToolIndexOptions } from './index/tool-index.ts';
export type { Explanation, ToolExplanation } from './relevance/explain.ts';
export type { LocalDecisionModel, LocalDecisionModelOptions } from './relevance/local-decision-model.ts';
export type { Calibration } from './relevance/scorer.ts';
export type { ToolOptions } from './schema/define-tool.ts';
export type { StandardSchema } from './schema/standard-schema.ts';
export type { Shortlist } from './select/shortlist.ts';
export type { MemoryStoreOptions } from './stores/memory.ts';
export type { SynonymTable } from './text/synonyms.ts';
