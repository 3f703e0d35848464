/**
 * Positions in the two streams that clients follow: the events of all rooms, and all other changes (account data,
 * receipts, to-device messages and so on). A `/sync` reads each table from the position where the last one ended to
 * the settled position.
 */
import { sql } from 'kysely';
import { isPostgres } from './engine.ts';
import { builtOnce } from './query/built-once.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';

/**
 * Takes the next position in the stream of changes, for rows that this transaction writes. No other transaction gets
 * it; rows of this one may share it. The settled position stays below it until this transaction ends.
 */
export async function nextChange(tx: Tx): Promise<number> {
  const next = isPostgres(tx)
    ? sql<{ place: number }>`select next_change() as place`
    : sql<{ place: number }>`update change_place set place = place + 1 returning place`;
  const { rows } = await next.execute(tx);
  return rows[0]?.place ?? 0;
}

/** A position in each stream. */
export type StreamPositions = { events: number; changes: number };

/**
 * The positions up to which each stream is complete: no transaction will add anything at or below them. Rows of open
 * transactions, in any process, have higher positions.
 */
export type SettledPositions = StreamPositions & {
  /** The newest assigned positions; those beyond the settled ones belong to open transactions. */
  newestEvent: number;
  newestChange: number;
};

/**
 * Takes the settled positions of both streams, which never go back. Read the data after that, in later statements of
 * the same database and never of a replica. A single room needs no such care: its writers hold its lock until they
 * commit.
 */
export async function settledPositions(db: Database): Promise<SettledPositions> {
  const { rows } = await (isPostgres(db) ? selectSettled(db, {}) : selectNewest(db, {}));
  const [row] = rows;
  const [events, changes] = [row?.events ?? 0, row?.changes ?? 0];
  return {
    events,
    changes,
    newestEvent: row?.newestEvent ?? events,
    newestChange: row?.newestChange ?? changes,
  };
}

export const settledEventPosition = async (db: Database): Promise<number> =>
  (await settledPositions(db)).events;

export const settledChangePosition = async (db: Database): Promise<number> =>
  (await settledPositions(db)).changes;

const selectSettled = builtOnce((db, _: Nothing) =>
  db
    .selectFrom(
      sql<Record<'event' | 'change' | 'newest_event' | 'newest_change', number>>`settled_places()`.as(
        'settled',
      ),
    )
    .select([
      'event as events',
      'change as changes',
      'newest_event as newestEvent',
      'newest_change as newestChange',
    ]),
);

/** SQLite has one writer at a time: everything that is committed is settled. */
const selectNewest = builtOnce((db, _: Nothing) =>
  db
    .selectFrom('change_place')
    .select((eb) => [
      'place as changes',
      eb
        .selectFrom(sql<{ name: string; seq: number }>`sqlite_sequence`.as('numbers'))
        .select('seq')
        .where('name', '=', 'events')
        .$castTo<{ seq: number | null }>()
        .as('events'),
      sql<number | null>`null`.as('newestEvent'),
      sql<number | null>`null`.as('newestChange'),
    ]),
);

type Nothing = Record<string, never>;
