import { openaiAgentsDriver } from './drivers/openai-agents.ts';
import { runContract } from './support/run-contract.ts';

runContract(openaiAgentsDriver());
