/** Pages of reported events. Any page costs the same, wherever it is in however long a list. */
import { sql } from 'kysely';
import { maximumReportsPerPage } from '../../shared/api/event-reports.ts';
import { builtOnce, builtOnceFor } from '../database/built-once.ts';
import type { Database } from '../database/schema.ts';
import { type EventReport, selectReports } from './event-report-store.ts';
import { findPlace, inOrderOfTime, type MatchValues, matching, type Place } from './report-places.ts';

/** Each part that is given narrows the list down. */
export type ReportFilter = {
  roomId?: string | undefined;
  userId?: string | undefined;
  sender?: string | undefined;
};

/** `from` is how many reports are left out; `b` is newest first. */
export type Page = { from: number; limit: number; dir: 'b' | 'f' };

/** One page of reports and how many there are in all. */
export async function listReports(
  db: Database,
  { roomId = '', userId = '', sender = '' }: ReportFilter,
  { from, dir, limit: wanted }: Page,
): Promise<{ reports: EventReport[]; total: number }> {
  const filter = { roomId, userId, sender };
  const total = (await selectTotal(db, filter)).rows[0]?.total ?? 0;
  const limit = Math.min(wanted, maximumReportsPerPage, Math.max(0, total - from));
  if (limit === 0) return { reports: [], total };
  const older = dir === 'f' ? from : total - from - limit;
  const start = await findStart(db, filter, { older, newer: total - older - limit });
  const { rows } = await selectPage(db, variantOf(filter, start), {
    ...filter,
    ...start.after,
    offset: start.offset,
    limit,
  });
  return { reports: start.newestFirst === (dir === 'b') ? rows : rows.toReversed(), total };
}

const selectTotal = builtOnce((db, { roomId, userId, sender }: Required<MatchValues>) =>
  db
    .selectFrom('event_report_totals')
    .select(sql<number>`cast(coalesce(sum(total), 0) as bigint)`.as('total'))
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .where('sender', '=', sender),
);

/** From where a page is read: from an end of the list or after a place in it, and how many are skipped there. */
type Start = { newestFirst: boolean; offset: number; after?: Place | undefined };

/** As many are skipped without looking for a place that is closer: it takes a fraction of a millisecond. */
const near = 2_000;

async function findStart(
  db: Database,
  filter: Required<MatchValues>,
  { older, newer }: { older: number; newer: number },
): Promise<Start> {
  if (newer <= near) return { newestFirst: true, offset: newer };
  if (older <= near) return { newestFirst: false, offset: older };
  const found = await findPlace(db, filter, older);
  return newer < older - found.position
    ? { newestFirst: true, offset: newer }
    : { newestFirst: false, offset: older - found.position, after: found.place };
}

type PageValues = MatchValues & Partial<Place> & { offset: number; limit: number };

const variantOf = ({ roomId, userId, sender }: Required<MatchValues>, { newestFirst, after }: Start) =>
  [
    newestFirst && 'newestFirst',
    after && 'after',
    roomId !== '' && 'roomId',
    userId !== '' && 'userId',
    sender !== '' && 'sender',
  ]
    .filter(Boolean)
    .join(' ');

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
