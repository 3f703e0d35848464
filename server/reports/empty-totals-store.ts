/** Totals of reports that are all deleted: they still name who has reported whom, and go with the last of them. */
import { sql } from 'kysely';
import { inPieces } from '../core/pieces.ts';
import { isPostgres } from '../database/engine.ts';
import { DatabaseFault } from '../database/fault.ts';
import { lockUntilCommit } from '../database/lock-until-commit.ts';
import type { Tx } from '../database/transaction.ts';

/** By what a total is counted; empty strings stand for "any". */
type Key = Record<string, string>;

/** Keeps a statement small. */
const keysAtOnce = 100;

/** Does something about totals that count nothing, and in which somebody else counts who may yet be undone. */
export type WhenHeld<Total> = (held: readonly Total[]) => void;

/** @throws DatabaseFault `contended` */
export const tryAgain = () => {
  throw new DatabaseFault('contended', 'concurrent update of an empty total');
};

/**
 * Deletes those of these totals that count nothing any more, in all of their parts, and gives their keys. The total of
 * everything names nobody, and stays. Who deletes reports does it last: it waits for nobody else's count, nor does
 * anybody whom it might still wait for wait for it.
 */
export async function deleteEmptyTotals<Columns extends string>(
  tx: Tx,
  table: 'event_report_totals' | 'user_report_totals',
  totals: readonly Record<Columns, string>[],
  whenHeld: WhenHeld<Record<Columns, string>>,
): Promise<Record<Columns, string>[]> {
  // Of several who delete the last ones at once each waits for the one before, and the last sees what all have counted.
  await lockUntilCommit(tx, 'emptyTotals');
  const gone: Record<Columns, string>[] = [];
  const held: Record<Columns, string>[] = [];
  for (const piece of inPieces(distinct(totals), keysAtOnce)) {
    const empty = await findEmpty(tx, table, piece);
    if (empty.length === 0) continue;
    const found = await deleteParts(tx, table, empty);
    gone.push(...(found.gone as typeof piece));
    held.push(...(found.held as typeof piece));
  }
  if (held.length > 0) whenHeld(held);
  return gone;
}

const distinct = <Total extends Key>(totals: readonly Total[]): Total[] => {
  const byKey = new Map(totals.map((total) => [JSON.stringify(Object.values(total)), total]));
  return [...byKey.values()].filter((total) => Object.values(total).some((part) => part !== ''));
};

type Empty = { key: Key; parts: number };

async function findEmpty(tx: Tx, table: string, totals: readonly Key[]): Promise<Empty[]> {
  const names = namesOf(totals);
  const { rows } = await sql<Key & { parts: number }>`
    select ${names}, count(*) as parts from ${sql.table(table)} where (${names}) in (${listOf(totals)})
    group by ${names} having sum(total) = 0`.execute(tx);
  return rows.map(({ parts, ...key }) => ({ key, parts }));
}

/**
 * Takes all parts of each, or none where somebody has counted since. What is deleted is no more and no less than nothing,
 * so that the sum of those that others add is right whatever they do.
 */
async function deleteParts(
  tx: Tx,
  table: string,
  totals: readonly Empty[],
): Promise<{ gone: Key[]; held: Key[] }> {
  const keys = totals.map(({ key }) => key);
  const names = namesOf(keys);
  const { rows } = await sql<Key & { part: number; total: number }>`
    select ${names}, part, total from ${sql.table(table)} where (${names}) in (${listOf(keys)})
    ${isPostgres(tx) ? sql`for update skip locked` : sql``}`.execute(tx);
  const held: Key[] = [];
  const empty = totals.flatMap(({ key, parts: all }) => {
    const parts = rows.filter((row) => Object.entries(key).every(([name, value]) => row[name] === value));
    if (parts.length < all) {
      held.push(key);
      return [];
    }
    return parts.reduce((sum, { total }) => sum + total, 0) === 0 ? [{ key, parts }] : [];
  });
  for (const { key, parts } of empty) {
    const conditions = Object.entries(key).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    await sql`
      delete from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}
      and part in (${sql.join(parts.map(({ part }) => sql.lit(part)))})`.execute(tx);
  }
  return { gone: empty.map(({ key }) => key), held };
}

const namesOf = ([first]: readonly Key[]) => sql.join(Object.keys(first ?? {}).map((name) => sql.ref(name)));

const listOf = (totals: readonly Key[]) =>
  sql`values ${sql.join(totals.map((total) => sql`(${sql.join(Object.values(total))})`))}`;
