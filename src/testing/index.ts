/**
 * `toolgate/testing`: the contract suites that implementations of toolgate's ports and adapters pass, and the scripted models
 * and the clock that they are run with. For tests of other makers' stores, decision models, search strategies and adapters.
 */
export { adapterContract } from './adapter-contract.ts';
export type { AdapterCase, AdapterContractOptions } from './adapter-contract.ts';
export type {
  AdapterDriver,
  AdapterGateOptions,
  AdapterModelRequest,
  AdapterRun,
  AdapterSession,
  AdapterSetup,
} from './adapter-driver.ts';
export type {
  AdapterExpectation,
  AdapterScenario,
  AdapterScenarioGate,
  AdapterScenarioTool,
  AdapterStep,
} from './adapter-scenario.ts';
export { adapterScenarios } from './adapter-scenarios.ts';
export { runAdapterScenario } from './run-adapter-scenario.ts';
export { decisionModelContract } from './decision-model-contract.ts';
export type {
  ContractAnswer,
  ContractBehaviour,
  ContractCase as DecisionModelContractCase,
  ContractHarness,
  DecisionModelContractOptions,
} from './decision-model-contract.ts';
export { searchStrategyContract } from './search-contract.ts';
export type { SearchContractRunner, SearchContractSubject } from './search-contract.ts';
export { contractCall, contractPause, storeContract } from './store-contract.ts';
export type { ContractCase as StoreContractCase, StoreContractOptions } from './store-contract.ts';
export { cycleFaultPoints, withFaultPoints } from './fault-points.ts';
export type { FaultPoint } from './fault-points.ts';
export { manualClock } from './manual-clock.ts';
export type { ManualClock } from './manual-clock.ts';
export { scriptedDecisionModel } from './scripted-decision-model.ts';
export type { DecisionScript, ScriptedDecisionModel, ScriptedDecisionModelOptions } from './scripted-decision-model.ts';
export { scriptedModel } from './scripted-model.ts';
export type { ScriptedCall, ScriptedModel, ScriptedRequest, ScriptedStep } from './scripted-model.ts';
