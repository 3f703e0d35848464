/**
 * Places in a long list of reports: to skip rows costs time for each, so every so often a row is kept with how many
 * reports there are from the place before to it. They are added while reports are filed, a little behind the newest end,
 * where none comes in between any more; what is deleted is taken off the one place of a list that counts it.
 */
import { type SelectQueryBuilder, sql } from 'kysely';
import { builtOnce, builtOnceFor } from '../database/built-once.ts';
import { isPostgres } from '../database/engine.ts';
import { lockUntilCommit, tryLockUntilCommit } from '../database/lock-until-commit.ts';
import type { Database, Schema } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import { settledReports } from './settled-report-store.ts';

/** A report in the order of the list; reports after it are newer. */
export type Place = { receivedTs: number; id: number };

/** An empty string stands for "any". */
export type MatchValues = { roomId: string; userId: string; sender: string };
/** And up to where the list is settled, as `settledReports` gives it. */
export type Settled = { settled: number };

/** How many reports there are from one place to the next, when they are added. */
const spacing = 1_000;
/** How close to the newest report others may still be added before it, in milliseconds. */
const unsettled = 10_000;
/** Of so many reports that are filed one looks whether its lists have room for a place more. */
const seldom = 200;
/** As many are added to a list at once by whoever files a report: it catches up where it was behind. */
const fewPlaces = 3;

/** The last place with at most so many reports before it and itself; without one it is the list's beginning. */
export async function findPlace(
  db: Database,
  filter: MatchValues,
  skipped: number,
): Promise<{ place: Place | undefined; position: number }> {
  const { rows } = await selectPlace(db, { ...filter, skipped });
  const [{ position, ...place } = { position: 0, receivedTs: 0, id: 0 }] = rows;
  return position === 0 ? { place: undefined, position } : { place, position };
}

const selectPlace = builtOnce((db, values: MatchValues & { skipped: number }) =>
  db
    .selectFrom(
      placesOf(db, values)
        .select(['received_ts as receivedTs', 'id'])
        .select(sql<number>`cast(sum(reports) over (order by received_ts, id) as bigint)`.as('position'))
        // Where a process of an older build has changed the order, they count wrong.
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('event_report_order').select('changes').whereRef('changes', '=', 'followed')),
        )
        .as('places'),
    )
    .selectAll()
    .where('position', '<=', values.skipped)
    .orderBy('receivedTs', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
);

const placesOf = (db: Database, { roomId, userId, sender }: MatchValues) =>
  db
    .selectFrom('event_report_places')
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .where('sender', '=', sender);

/** Whether whoever files a report is to see to the places, as is done now and then. */
export const isTimeForPlaces = () => Math.random() * seldom < 1;

/** Adds places to lists that have got longer. */
export async function addFewPlaces(tx: Tx, lists: readonly MatchValues[]): Promise<void> {
  if (!(await tryLockUntilCommit(tx, 'reportPlaces'))) return;
  for (const list of lists) await addPlaces(tx, list, fewPlaces);
}

/**
 * Adds the places that a list has room for. Without `most` that may be a thousand for a million reports, each of
 * which takes a millisecond.
 */
export async function addPlaces(
  tx: Tx,
  list: MatchValues,
  most: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  await lockUntilCommit(tx, 'reportPlaces');
  await dropUnlessFollowed(tx);
  const variant = variantOf(list);
  const settled = isPostgres(tx) ? await settledReports(tx) : Number.MAX_SAFE_INTEGER;
  const { rows } = await selectEnds(tx, list);
  const [{ newest, receivedTs, id } = { newest: 0, receivedTs: null, id: null }] = rows;
  let last = receivedTs === null || id === null ? undefined : { receivedTs, id };
  for (let added = 0; added < most; added++) {
    const values = { ...list, ...last, settled };
    const next = await selectNextPlace(tx, last ? `after ${variant}` : variant, values);
    const [place] = next.rows;
    if (!place || !isSettled(place.receivedTs, newest ?? 0)) return;
    await insertPlace(tx, { ...list, ...place });
    last = place;
  }
}

const selectEnds = builtOnce((db, list: MatchValues) =>
  db
    .selectFrom('event_reports')
    .select(({ fn }) => fn.max<number | null>('received_ts').as('newest'))
    .select(['received_ts', 'id'].map((name) => lastPlace(db, list, name as 'received_ts' | 'id')))
    .$castTo<{ newest: number | null; receivedTs: number | null; id: number | null }>(),
);

const lastPlace = (db: Database, list: MatchValues, column: 'received_ts' | 'id') =>
  placesOf(db, list)
    .select(column)
    .orderBy('received_ts', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .as(column === 'id' ? 'id' : 'receivedTs');

const insertPlace = builtOnce((db, { roomId, userId, sender, receivedTs, id }: MatchValues & Place) =>
  db.insertInto('event_report_places').values({
    room_id: roomId,
    user_id: userId,
    sender,
    received_ts: receivedTs,
    id,
    reports: spacing,
  }),
);

const isSettled = (receivedTs: number, newest: number) => receivedTs < newest - unsettled;

/** Whether a report that was added comes after all places. @param newest when the newest one was received */
export const isAtNewestEnd = (receivedTs: number, newest: number) => !isSettled(receivedTs, newest);

/**
 * Follows a report that was deleted, or added elsewhere than at the newest end.
 *
 * @param lists those that it is in
 */
export async function followChange(
  tx: Tx,
  lists: readonly MatchValues[],
  { receivedTs, id }: Place,
  by: 1 | -1,
): Promise<void> {
  await noteOrderChange(tx);
  for (const list of lists) await countAtPlace(tx, by, { ...list, receivedTs, id });
}

/** Follows reports that were added all over: no place is kept from the oldest of them on. */
export async function forgetPlacesFrom(tx: Tx, receivedTs: number): Promise<void> {
  await noteOrderChange(tx);
  await tx.deleteFrom('event_report_places').where('received_ts', '>=', receivedTs).execute();
}

/** Deletes the places of a list that has no reports any more. While `followChange` holds them. */
export async function deletePlaces(tx: Tx, { roomId, userId, sender }: MatchValues): Promise<void> {
  await tx
    .deleteFrom('event_report_places')
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .where('sender', '=', sender)
    .execute();
}

/** Processes of older builds keep places in memory, and find them again where this has grown. */
async function noteOrderChange(tx: Tx): Promise<void> {
  await lockUntilCommit(tx, 'reportPlaces');
  await tx
    .updateTable('event_report_order')
    .set((eb) => ({ changes: eb('changes', '+', 1), followed: eb('followed', '+', 1) }))
    .execute();
}

async function dropUnlessFollowed(tx: Tx): Promise<void> {
  const { rows } = await selectOrder(tx, {});
  if (rows.every(({ changes, followed }) => changes === followed)) return;
  await tx.deleteFrom('event_report_places').execute();
  await tx
    .updateTable('event_report_order')
    .set(({ ref }) => ({ followed: ref('changes') }))
    .execute();
}

const selectOrder = builtOnce((db, _: Record<string, never>) =>
  db.selectFrom('event_report_order').select(['changes', 'followed']),
);

/** The first place at or after a report counts it. */
const countAtPlace = builtOnceFor((db, values: MatchValues & Place, by: 1 | -1) => {
  const { roomId, userId, sender, receivedTs, id } = values;
  const counting = placesOf(db, values)
    .select(['received_ts', 'id'])
    .where(({ eb, refTuple, tuple }) => eb(refTuple('received_ts', 'id'), '>=', tuple(receivedTs, id)))
    .orderBy('received_ts')
    .orderBy('id')
    .limit(1);
  return db
    .updateTable('event_report_places')
    .set((eb) => ({ reports: eb('reports', '+', by) }))
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .where('sender', '=', sender)
    .where(({ eb, refTuple }) =>
      eb(refTuple('received_ts', 'id'), 'in', counting.$asTuple('received_ts', 'id')),
    );
});

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
