import type pg from 'pg';
import { expectTypeOf, it } from 'vitest';
import type { PostgresPool } from './postgres-pool.ts';

it('takes a pool of pg as it is, and anything with a query', () => {
  expectTypeOf<pg.Pool>().toExtend<PostgresPool>();
  expectTypeOf<{
    query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  }>().toExtend<PostgresPool>();
  expectTypeOf<{ execute(): void }>().not.toExtend<PostgresPool>();
});
