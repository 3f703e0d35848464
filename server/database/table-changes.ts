/** Whether what is kept in memory was changed in a SQLite file since, without looking at it. */
import type SqliteDatabase from 'better-sqlite3';
import type { QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isBusy } from './sqlite-fault.ts';

/** What can be known to be as it was: accounts and their sessions, the lists of tasks and of reported events, push rules. */
export type Topic = 'accounts' | 'tasks' | 'reports' | 'rules';

export type TableChanges = {
  /** Told of every statement that was run on the connection that writes, and what it did. */
  noteStatement(sql: string, result: QueryResult<unknown>): void;
  /** Told of every commit, before anybody else is. */
  noteCommit(): void;
  /** A number that grows when something of a topic may have been changed, here or by another process. */
  version(topic: Topic): number;
};

/** For how many statements it is remembered what they change. */
const maximumStatements = 500;

export function followTables(writer: SqliteDatabase.Database): TableChanges {
  // It changes with what other connections commit. The only other one here reads.
  const byOthers = writer.prepare('pragma data_version').pluck();
  let seen = byOthers.get();
  let othersChanges = 0;
  const versions: Record<Topic, number> = { accounts: 0, tasks: 0, reports: 0, rules: 0 };
  const changed = new Set<Topic>();
  const known = new LRUCache<string, Topic[]>({ max: maximumStatements });

  function topicsOf(sql: string): Topic[] {
    let topics = known.get(sql);
    if (!topics) {
      topics = (Object.keys(changes) as Topic[]).filter((topic) => changes[topic](sql));
      known.set(sql, topics);
    }
    return topics;
  }

  return {
    noteStatement(sql, { rows, numAffectedRows = 0n }) {
      if (rows.length === 0 && numAffectedRows === 0n) return;
      for (const topic of topicsOf(sql)) changed.add(topic);
    },
    noteCommit() {
      for (const topic of changed) versions[topic]++;
      changed.clear();
    },
    version(topic) {
      try {
        const now = byOthers.get();
        if (now !== seen) othersChanges++;
        seen = now;
      } catch (error) {
        if (!isBusy(error)) throw error;
        othersChanges++;
      }
      return versions[topic] + othersChanges;
    },
  };
}

const reads = (sql: string) => /^\s*select\b/i.test(sql);

/** Whether a statement may change something of a topic; what a condition only looks at counts, too. */
const changes: Record<Topic, (sql: string) => boolean> = {
  accounts: (sql) =>
    /\b(users|access_tokens)\b/i.test(sql) &&
    !reads(sql) &&
    // A new token changes nothing about those that were there before.
    !/^\s*insert into "access_tokens" /i.test(sql),
  tasks: (sql) => /\bscheduled_tasks\b/i.test(sql) && !reads(sql),
  rules: (sql) => /\bpush_rules\b/i.test(sql) && !reads(sql),
  reports: (sql) =>
    /\b(event_reports|event_report_totals|rooms)\b/i.test(sql) &&
    !reads(sql) &&
    // Of a room its list shows what it is called; each message changes where its head is.
    !/^update "rooms" set (?!.*"(name|canonical_alias)").* where "room_id" = \+\?$/.test(sql),
};
