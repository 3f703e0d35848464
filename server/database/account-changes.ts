/** Whether somebody's account or sessions were changed in a SQLite file, without looking at them. */
import type SqliteDatabase from 'better-sqlite3';
import type { QueryResult } from 'kysely';
import { isBusy } from './sqlite-fault.ts';

export type AccountChanges = {
  /** Told of every statement that was run on the connection that writes, and what it did. */
  noteStatement(sql: string, result: QueryResult<unknown>): void;
  /** Told of every commit, before anybody else is. */
  noteCommit(): void;
  /** A number that grows when something may have been changed, here or by another process. */
  version(): number;
};

export function followAccounts(writer: SqliteDatabase.Database): AccountChanges {
  // It changes with what other connections commit. The only other one here reads.
  const byOthers = writer.prepare('pragma data_version').pluck();
  let seen = byOthers.get();
  let version = 0;
  let hasChanged = false;

  return {
    noteStatement(sql, { rows, numAffectedRows = 0n }) {
      if (hasChanged || (rows.length === 0 && numAffectedRows === 0n)) return;
      hasChanged = changesAccounts(sql);
    },
    noteCommit() {
      if (hasChanged) version++;
      hasChanged = false;
    },
    version() {
      try {
        const now = byOthers.get();
        if (now !== seen) version++;
        seen = now;
      } catch (error) {
        if (!isBusy(error)) throw error;
        version++;
      }
      return version;
    },
  };
}

/** A new token changes nothing about those that were there before. */
const changesAccounts = (sql: string) =>
  /\b(users|access_tokens)\b/i.test(sql) && !/^\s*(select\b|insert into "access_tokens" )/i.test(sql);
