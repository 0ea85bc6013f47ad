export { postgresStore } from './postgres-store.ts';
export type { PostgresStoreOptions } from './postgres-store.ts';
export type { PostgresClient, PostgresPool } from './postgres-pool.ts';
