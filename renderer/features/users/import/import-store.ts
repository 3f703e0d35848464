/** The import of a server: its input and its run, which both stay when the screen is left. */

import { i18n } from '@lingui/core';
import type { QueryClient } from '@tanstack/react-query';
import { noticesOf } from '../../../components/notices.ts';
import { subscribers } from '../../../subscribers.ts';
import { teamOf } from '../../../team/team-store.ts';
import type { Server } from '../../../transport/server.ts';
import { number } from '../../../words/format.ts';
import type { Assignment } from './import-columns.ts';
import type { Conflict, ImportRow, RowPlan } from './import-rows.ts';
import { type PlannedRow, type RowResult, runImport } from './run-import.ts';

export type ImportState = {
  /** Typed or pasted text. */
  draft: string;
  /** The previewed text; a copy of the draft if it has no file name. */
  source?: { name?: string; text: string };
  /** The user's choice; otherwise as recognized. */
  hasHeader?: boolean | undefined;
  assignment?: Assignment | undefined;
  conflict: Conflict;
  /** The user's choice; by default, unless the file has external IDs. */
  generatesPasswords?: boolean | undefined;
  run?: ImportRun;
};

export type ImportRun = {
  isRunning: boolean;
  rows: readonly PlannedRow[];
  unsent: readonly UnsentRow[];
  /** By line. A new object after each change. */
  results: ReadonlyMap<number, RowResult>;
  /** Whether users without a password get a generated one. */
  hasPasswords: boolean;
  /** In milliseconds since the Unix epoch. */
  startedAt: number;
  /** Number of results when it started or resumed. */
  doneBefore: number;
  /** Why it stopped early, translated. */
  stoppedBy?: string | undefined;
  /** The file with the passwords was saved, or there are none. */
  isSaved: boolean;
};

/** A row of the file that is skipped or has problems. */
export type UnsentRow = RowPlan & { row: ImportRow };

type ImportStore = ReturnType<typeof openImport>;

export const importOf = (server: Server): ImportStore => server.state(openImport);

const empty: ImportState = { draft: '', conflict: 'skip' };

/** Interval of updates while running, in milliseconds. */
const updateMs = 200;
/** Keeps a log entry below the size of an event. */
const usersPerEntry = 100;

function openImport(server: Server) {
  let state = empty;
  let stopping = new AbortController();
  const { subscribe, notify, hasNone } = subscribers();

  function change(changes: Partial<ImportState>) {
    state = { ...state, ...changes };
    notify();
  }
  const changeRun = (changes: Partial<ImportRun>) =>
    state.run && change({ run: { ...state.run, ...changes } });

  /** The passwords exist only here. */
  function onBeforeUnload(event: BeforeUnloadEvent) {
    if (state.run && (state.run.isRunning || !state.run.isSaved)) event.preventDefault();
  }

  function log(action: string, userIds: readonly string[]) {
    for (let from = 0; from < userIds.length; from += usersPerEntry) {
      const [subject, ...others] = userIds
        .slice(from, from + usersPerEntry)
        .map((userId) => ({ kind: 'user' as const, userId }));
      if (!subject) continue;
      teamOf(server)
        .snapshot()
        .record({
          action,
          subject,
          ...(others.length > 0 && { others, count: others.length + 1 }),
          reports: [],
          outcome: 'done',
        });
    }
  }

  return {
    subscribe,
    read: () => state,
    change,

    /** Sends the rows; those that an earlier run didn't finish are sent again. */
    async start(
      queryClient: QueryClient,
      { rows, unsent, hasPasswords }: Pick<ImportRun, 'rows' | 'unsent' | 'hasPasswords'>,
    ) {
      window.addEventListener('beforeunload', onBeforeUnload);
      stopping = new AbortController();
      const { signal } = stopping;
      const all = new Map(state.run?.results);
      const before = new Map(all);
      const todo = rows.filter(({ line }) => {
        const outcome = all.get(line)?.outcome;
        return outcome === undefined || outcome === 'failed';
      });
      for (const { line } of todo) all.delete(line);
      change({
        run: {
          isRunning: true,
          rows,
          unsent,
          results: new Map(all),
          hasPasswords,
          startedAt: Date.now(),
          doneBefore: all.size,
          isSaved: false,
        },
      });
      const publish = () => changeRun({ results: new Map(all) });
      const timer = setInterval(publish, updateMs);
      const logged = { created: [] as string[], updated: [] as string[] };
      function flush(atLeast: number) {
        for (const [outcome, action] of [
          ['created', 'make-user'],
          ['updated', 'update-user'],
        ] as const) {
          if (logged[outcome].length >= atLeast) log(action, logged[outcome].splice(0));
        }
      }
      const stoppedBy = await runImport(server, todo, {
        conflict: state.conflict,
        hasPasswords,
        passwordOf: ({ line }: ImportRow) => before.get(line)?.password,
        signal,
        onResult(row, result) {
          all.set(row.line, result);
          if (result.outcome === 'created' || result.outcome === 'updated') {
            logged[result.outcome].push(row.userId);
            flush(usersPerEntry);
          }
        },
      });
      clearInterval(timer);
      flush(1);
      // A row that wasn't sent keeps the result of an earlier attempt.
      for (const { line } of todo) {
        const earlier = before.get(line);
        if (!all.has(line) && earlier) all.set(line, earlier);
      }
      const hasSecrets = [...all.values()].some(({ password }) => password !== undefined);
      changeRun({ isRunning: false, results: new Map(all), stoppedBy, isSaved: !hasSecrets });
      void queryClient.invalidateQueries({ queryKey: [server.id, 'users'] });
      if (hasNone() && !signal.aborted) noticesOf(server).show({ text: summaryOf([...all.values()]) });
    },
    stop: () => stopping.abort(),

    markSaved: () => changeRun({ isSaved: true }),

    /** Forgets input and results. */
    clear() {
      window.removeEventListener('beforeunload', onBeforeUnload);
      state = empty;
      change({});
    },
    close() {
      stopping.abort();
      window.removeEventListener('beforeunload', onBeforeUnload);
    },
  };
}

/** For example `12 created · 3 updated · 1 failed`. */
export function summaryOf(results: readonly RowResult[]): string {
  const countOf = (outcome: RowResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const [created, updated, skipped, failed] = [
    countOf('created'),
    countOf('updated'),
    countOf('skipped'),
    countOf('failed'),
  ];
  const parts = [
    created > 0 && i18n.t('{count} created', { count: number(created) }),
    updated > 0 && i18n.t('{count} updated', { count: number(updated) }),
    skipped > 0 && i18n.t('{count} skipped', { count: number(skipped) }),
    failed > 0 && i18n.t('{count} failed', { count: number(failed) }),
  ].filter((part) => typeof part === 'string');
  return parts.length > 0 ? parts.join(' · ') : i18n.t('No users imported');
}
