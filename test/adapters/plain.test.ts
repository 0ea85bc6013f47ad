import { plainDriver } from './drivers/plain.ts';
import { runContract } from './support/run-contract.ts';

runContract(plainDriver());
