/** All migrations in order. */
import type { Migration } from 'kysely/migration';
import * as initial from './migrations/0001-initial.ts';
import * as reportTotals from './migrations/0002-report-totals.ts';
import * as ownershipByLocks from './migrations/0003-ownership-by-locks.ts';

export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-report-totals': reportTotals,
  '0003-ownership-by-locks': ownershipByLocks,
};

export const migrationNames = Object.keys(migrations);
