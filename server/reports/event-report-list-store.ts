/** Pages of reported events. Any page costs the same, wherever it is in however long a list. */
import { sql } from 'kysely';
import { maximumReportsPerPage } from '../../shared/api/event-reports.ts';
import { builtOnceFor } from '../database/built-once.ts';
import { isPostgres } from '../database/engine.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { type EventReport, selectReports } from './event-report-store.ts';
import {
  addPlaces,
  findPlace,
  inOrderOfTime,
  type MatchValues,
  matching,
  type Place,
  type Settled,
  unsettledReports,
  variantOf,
} from './report-place-store.ts';
import { settledReports } from './settled-report-store.ts';

/** Each part that is given narrows the list down. */
export type ReportFilter = {
  roomId?: string | undefined;
  userId?: string | undefined;
  sender?: string | undefined;
};

/** `from` is how many reports are left out; `b` is newest first. */
export type Page = { from: number; limit: number; dir: 'b' | 'f' };

/** One page of reports and how many there are in all. Whoever reads on from its end misses none, and gets none twice. */
export async function listReports(
  db: Database,
  { roomId = '', userId = '', sender = '' }: ReportFilter,
  { from, dir, limit: wanted }: Page,
): Promise<{ reports: EventReport[]; total: number }> {
  const filter = { roomId, userId, sender };
  const { total, settled } = await readTotal(db, filter);
  const limit = Math.min(wanted, maximumReportsPerPage, Math.max(0, total - from));
  if (limit === 0) return { reports: [], total };
  const older = dir === 'f' ? from : total - from - limit;
  const start = await findStart(db, filter, { older, newer: total - older - limit });
  const { rows } = await selectPage(db, pageVariant(filter, start), {
    ...filter,
    settled,
    ...start.after,
    offset: start.offset,
    limit,
  });
  return { reports: start.newestFirst === (dir === 'b') ? rows : rows.toReversed(), total };
}

/** How many reports there are, up to where the list is settled; of the same moment, which later ones don't change. */
async function readTotal(db: Database, filter: MatchValues): Promise<{ total: number } & Settled> {
  const settled = isPostgres(db) ? await settledReports(db) : 0;
  const { rows } = await selectTotal(db, variantOf(filter), { ...filter, settled });
  return rows[0] ?? { total: 0, settled };
}

const selectTotal = builtOnceFor((db, values: MatchValues & Settled, variant: string) => {
  const unsettled = isPostgres(db)
    ? unsettledReports(db, values, variant).select(({ fn }) => fn.countAll().as('count'))
    : sql.lit(0);
  const settled = isPostgres(db)
    ? sql<number>`cast(${values.settled} as bigint)`
    : sql<number>`(select coalesce(max(id), 0) from event_reports)`;
  return db
    .selectFrom('event_report_totals')
    .select(sql<number>`cast(coalesce(sum(total), 0) - ${unsettled} as bigint)`.as('total'))
    .select(settled.as('settled'))
    .where('room_id', '=', values.roomId)
    .where('user_id', '=', values.userId)
    .where('sender', '=', values.sender);
});

/** From where a page is read: from an end of the list or after a place in it, and how many are skipped there. */
type Start = { newestFirst: boolean; offset: number; after?: Place | undefined };

/** As many are skipped without looking for a place that is closer: it takes a fraction of a millisecond. */
const near = 2_000;

async function findStart(
  db: Database,
  filter: MatchValues,
  { older, newer }: { older: number; newer: number },
): Promise<Start> {
  if (newer <= near) return { newestFirst: true, offset: newer };
  if (older <= near) return { newestFirst: false, offset: older };
  let found = await findPlace(db, filter, older);
  if (older - found.position > near) {
    // Many were added at once, or a process of an older build has changed their order.
    await inTransaction(db, (tx) => addPlaces(tx, filter));
    found = await findPlace(db, filter, older);
  }
  return newer < older - found.position
    ? { newestFirst: true, offset: newer }
    : { newestFirst: false, offset: older - found.position, after: found.place };
}

type PageValues = MatchValues & Settled & Partial<Place> & { offset: number; limit: number };

const pageVariant = (filter: MatchValues, { newestFirst, after }: Start) =>
  [newestFirst && 'newestFirst', after && 'after', variantOf(filter)].filter(Boolean).join(' ');

/** Rows are skipped in an index, before anything else is looked up. */
const selectPage = builtOnceFor((db, values: PageValues, variant: string) => {
  const order = variant.includes('newestFirst') ? 'desc' : 'asc';
  const ids = matching(db, values, variant)
    .select('event_reports.id')
    .$call(inOrderOfTime(order))
    .limit(values.limit)
    .offset(values.offset);
  return selectReports(db).where('event_reports.id', 'in', ids).$call(inOrderOfTime(order));
});
