import { mastraDriver } from './drivers/mastra.ts';
import { runContract } from './support/run-contract.ts';

runContract(mastraDriver());
