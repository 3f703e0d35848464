/**
 * The order of all changes that clients are shown and that are no events: of account data, receipts, messages to
 * devices and so on. Whoever reads on from where they were, such as a `/sync`, reads each table that bears such
 * numbers from the place where the last read ended to the place where all are settled now.
 */
import { sql } from 'kysely';
import { isPostgres } from './engine.ts';
import { builtOnce } from './query/built-once.ts';
import type { Database } from './schema.ts';
import type { Tx } from './transaction.ts';

/**
 * Takes the next number, for the rows that a transaction writes: no reader sees a higher one settled before that
 * transaction is through. It never is the number of another transaction; several rows of one may share it.
 */
export async function nextChange(tx: Tx): Promise<number> {
  const next = isPostgres(tx)
    ? sql<{ place: number }>`select next_change() as place`
    : sql<{ place: number }>`update change_place set place = place + 1 returning place`;
  const { rows } = await next.execute(tx);
  return rows[0]?.place ?? 0;
}

/** A place in the order of events and one in that of changes. */
export type Places = { events: number; changes: number };

/** Up to where everything can be seen that ever will be. */
export type SettledPlaces = Places & {
  /** The newest that have a number: what is behind the settled places is on its way. */
  newestEvent: number;
  newestChange: number;
};

/**
 * Takes both places at once. As with either: take them first and read after that, in later statements of the same
 * database (never a replica). They never go back.
 */
export async function settledPlaces(db: Database): Promise<SettledPlaces> {
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

/** The place, in the order of all changes, up to which everything can be seen that ever will be. */
export async function settledChange(db: Database): Promise<number> {
  return (await settledPlaces(db)).changes;
}

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

/** What is committed to a SQLite file was written one transaction after the other. */
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
