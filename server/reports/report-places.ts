/**
 * Places in a long list of reports: to skip rows costs time for each, so every so often a row is remembered with how
 * many come before it. Places stay where they are while reports are only added at the newest end.
 */
import { type SelectQueryBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { builtOnce, builtOnceFor } from '../database/built-once.ts';
import { isPostgres } from '../database/engine.ts';
import type { Database, Schema } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

/** A report in the order of the list; reports after it are newer. */
export type Place = { receivedTs: number; id: number };

/** An empty string stands for "any". */
export type MatchValues = { roomId: string; userId: string; sender: string };
/** And up to where the list is settled, as `settledReports` gives it. */
export type Settled = { settled: number };

/** How many reports there are from one place to the next: as many are skipped at the most. */
const spacing = 1_000;
/** How close to the newest report others may still be added before it, in milliseconds. */
const unsettled = 10_000;
/** For how many lists places are kept: each is some 100 bytes for every thousand reports. */
const maximumLists = 100;

/** The places of a list, `spacing` reports apart, from when the order was changed so many times. */
type Places = { changes: number; places: Place[] };

const known = new WeakMap<object, LRUCache<string, Places>>();

/**
 * The last known place with at most so many reports before it and itself; without one it is the list's beginning.
 * Where the order was changed lately, the places are found again first, which takes some milliseconds for every
 * hundred thousand reports.
 */
export async function findPlace(
  db: Database,
  filter: MatchValues,
  skipped: number,
  settled: number,
): Promise<{ place: Place | undefined; position: number }> {
  const places = await placesOf(db, filter, Math.floor(skipped / spacing), settled);
  const count = Math.min(places.length, Math.floor(skipped / spacing));
  return { place: places[count - 1], position: count * spacing };
}

/** The first so many places of a list, where it is long enough. */
async function placesOf(
  db: Database,
  filter: MatchValues,
  wanted: number,
  settled: number,
): Promise<Place[]> {
  const lists = known.get(db) ?? new LRUCache<string, Places>({ max: maximumLists });
  known.set(db, lists);
  const key = JSON.stringify(Object.values(filter));
  const { rows } = await selectOrder(db, {});
  const { changes = 0, newest = 0 } = rows[0] ?? {};
  let list = lists.get(key);
  if (list?.changes !== changes) {
    list = { changes, places: [] };
    lists.set(key, list);
  }
  const { places } = list;
  const variant = variantOf(filter);
  while (places.length < wanted) {
    const last = places.at(-1);
    const values = { ...filter, ...last, settled };
    const next = await selectNextPlace(db, last ? `after ${variant}` : variant, values);
    const [place] = next.rows;
    // Another one may have gone the same way meanwhile.
    if (places.at(-1) !== last) continue;
    if (!place || !isSettled(place.receivedTs, newest ?? 0)) break;
    places.push(place);
  }
  return places;
}

const isSettled = (receivedTs: number, newest: number) => receivedTs < newest - unsettled;

/** Whether a report that was added comes after all places. @param newest when the newest one was received */
export const isAtNewestEnd = (receivedTs: number, newest: number) => !isSettled(receivedTs, newest);

/** Says that reports were deleted, or added elsewhere than at the newest end. */
export async function noteOrderChange(tx: Tx): Promise<void> {
  await tx
    .updateTable('event_report_order')
    .set((eb) => ({ changes: eb('changes', '+', 1) }))
    .execute();
}

const selectOrder = builtOnce((db, _values: Record<string, never>) =>
  db.selectFrom('event_report_order').select(({ selectFrom }) => [
    'changes',
    selectFrom('event_reports')
      .select(({ fn }) => fn.max<number>('received_ts').as('newest'))
      .as('newest'),
  ]),
);

/** Which parts of a filter are given. */
export const variantOf = ({ roomId, userId, sender }: MatchValues) =>
  [roomId !== '' && 'roomId', userId !== '' && 'userId', sender !== '' && 'sender'].filter(Boolean).join(' ');

const selectNextPlace = builtOnceFor((db, values: MatchValues & Settled & Partial<Place>, variant: string) =>
  matching(db, values, variant)
    .select(['event_reports.received_ts as receivedTs', 'event_reports.id'])
    .$call(inOrderOfTime('asc'))
    .limit(1)
    .offset(spacing - 1),
);

/** The settled reports of a list, where its variant says so only those after a place. */
export function matching(db: Database, values: MatchValues & Settled & Partial<Place>, variant: string) {
  // SQLite would rather read by the identifiers and then sort, if it could.
  const id = isPostgres(db) ? sql.ref<number>('event_reports.id') : sql<number>`+event_reports.id`;
  return filtered(db, values, variant).where(id, '<=', values.settled);
}

/** The reports of a list that were added, and before which others may still come. */
export const unsettledReports = (db: Database, values: MatchValues & Settled, variant: string) =>
  filtered(db, values, variant).where('event_reports.id', '>', values.settled);

function filtered(
  db: Database,
  { roomId, userId, sender, receivedTs, id }: MatchValues & Partial<Place>,
  variant: string,
) {
  const parts = variant.split(' ');
  let reports = db.selectFrom('event_reports');
  if (parts.includes('roomId')) reports = reports.where('event_reports.room_id', '=', roomId);
  if (parts.includes('userId')) reports = reports.where('event_reports.user_id', '=', userId);
  if (parts.includes('sender')) reports = reports.where('event_reports.sender', '=', sender);
  if (parts.includes('after')) {
    const place = { receivedTs: receivedTs as number, id: id as number };
    reports = reports.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('event_reports.received_ts', 'event_reports.id'), '>', tuple(place.receivedTs, place.id)),
    );
  }
  return reports;
}

/** Gives what orders reports by time. */
export const inOrderOfTime =
  (order: 'asc' | 'desc') =>
  <Tables extends 'event_reports', Row>(
    reports: SelectQueryBuilder<Schema, Tables, Row>,
  ): SelectQueryBuilder<Schema, Tables, Row> =>
    (reports as unknown as SelectQueryBuilder<Schema, 'event_reports', Row>)
      .orderBy('event_reports.received_ts', order)
      .orderBy('event_reports.id', order) as unknown as SelectQueryBuilder<Schema, Tables, Row>;
