/** Every migration, in the order in which they run. */
import type { Migration } from 'kysely/migration';
import * as initial from './migrations/0001-initial.ts';

export const migrations: Record<string, Migration> = { '0001-initial': initial };

export const migrationNames = Object.keys(migrations);
