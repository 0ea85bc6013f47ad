import { langchainDriver } from './drivers/langchain.ts';
import { runContract } from './support/run-contract.ts';

runContract(langchainDriver());
runContract(langchainDriver({ siblings: 'run-now' }));
