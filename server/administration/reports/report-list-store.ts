/** The lists of event reports and user reports: their counters and pages. */
import { type Compilable, type RawBuilder, sql } from 'kysely';
import { chunks } from '../../platform/concurrency/yield.ts';
import { builtOnceFor, type Values } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/** The columns that each list can be filtered by, which are the key of its totals. */
const filterColumns = {
  event_reports: ['room_id', 'user_id', 'sender'],
  user_reports: ['target_user_id', 'user_id'],
} as const;

const totalsTables = { event_reports: 'event_report_totals', user_reports: 'user_report_totals' } as const;

type List = keyof typeof filterColumns;

/** By column; an empty value doesn't narrow the list. */
type Filter = Readonly<Record<string, string | undefined>>;

/** `from` is an offset; `b` is newest first. */
export type Page = { from: number; limit: number; dir: 'b' | 'f' };

type Order = 'asc' | 'desc';

/**
 * Returns a function that reads one page of a list and the number of all reports that match.
 *
 * @param selectRows selects the rows with these IDs in this order
 */
export function createPages<Row>(
  list: List,
  selectRows: (db: Database, ids: RawBuilder<number>, order: Order) => Compilable<Row>,
): (db: Database, filter: Filter, page: Page) => Promise<{ reports: Row[]; total: number }> {
  const columns: readonly string[] = filterColumns[list];

  const selectPage = builtOnceFor((db, values: Values, shape: string) => {
    const [order, walk, ...given] = shape.split(' ') as [Order, Order, ...string[]];
    const conditions = given.map((column) => sql`${sql.ref(column)} = ${values[column]}`);
    const matches = conditions.length > 0 ? allOf(conditions) : sql`1 = 1`;
    // Reports filed since the total was read shift pages that are read from the newest end.
    const added =
      walk === 'desc'
        ? sql`(select count(*) filter (where ${matches}) from ${sql.table(list)} where id > ${values.newest})`
        : sql.lit(0);
    const direction = sql.raw(walk);
    const ids = sql<number>`(
      select id from ${sql.table(list)} where ${matches}
      order by received_ts ${direction}, id ${direction} limit ${values.limit} offset ${values.offset} + ${added})`;
    return selectRows(db, ids, order);
  });

  return async (db, filter, page) => {
    const wanted = Object.fromEntries(columns.map((column) => [column, filter[column] ?? '']));
    const { rows: totals } = await selectTotal(db, list, wanted);
    const { total, newest } = totals[0] ?? { total: 0, newest: 0 };
    const { newestFirst, limit, offset } = fromNearerEnd(page, total);
    const order: [Order, Order] = [page.dir === 'b' ? 'desc' : 'asc', newestFirst ? 'desc' : 'asc'];
    const shape = [...order, ...columns.filter((column) => filter[column])].join(' ');
    const { rows } = await selectPage(db, shape, { ...wanted, newest, limit, offset });
    return { reports: rows, total };
  };
}

/** Selects the number of reports that match a filter, and the ID of the newest report of the list. */
const selectTotal = builtOnceFor((db, filter: Values, list: List) => ({
  compile: () =>
    sql<{ total: number; newest: number }>`
      select cast(coalesce(sum(total), 0) as bigint) as total,
        (select coalesce(max(id), 0) from ${sql.table(list)}) as newest
      from ${sql.table(totalsTables[list])}
      where ${allOf(filterColumns[list].map((column) => sql`${sql.ref(column)} = ${filter[column]}`))}`.compile(
      db,
    ),
}));

const allOf = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

/** Skipping rows costs time for each, so a page in the far half is read from the other end. */
function fromNearerEnd({ from, limit: wanted, dir }: Page, total: number) {
  const limit = Math.max(0, Math.min(wanted, total - from));
  const behind = Math.max(0, total - from - limit);
  const fromFarEnd = behind < from;
  return { newestFirst: (dir === 'b') !== fromFarEnd, limit, offset: fromFarEnd ? behind : from };
}

/** Tolerated clock difference between processes, in milliseconds. */
const clockSkew = sql.lit(10_000);

/**
 * Returns the time of a new report: that of the newest report if the process's clock is slightly behind. Lists then
 * only grow at their newest end.
 */
export const receivedAt = (list: List, now: number) => sql<number>`(
  select case when newest >= ${now} and newest - ${clockSkew} <= ${now} then newest else ${now} end
  from (select max(received_ts) as newest from ${sql.table(list)}) as latest)`;

/** A report's values of its list's filter columns, and its part of the totals. */
type CountedReport = Readonly<Record<string, string | number>> & { part: number };

type Total = { key: readonly unknown[]; part: number; count: number };

/** Keeps a statement below the number of parameters that each engine allows. */
const rowsPerStatement = 500;

/** Adds a report to the totals of all combinations of its filters. */
export const addReportToTotals = builtOnceFor((db, report: CountedReport, list: List) => ({
  compile: () => addition(list, totalsOfReport(list, report, 1)).compile(db),
}));

/** Adds many reports to the totals. */
export async function addToTotals(tx: Tx, list: List, reports: readonly CountedReport[]): Promise<void> {
  await changeTotals(tx, list, totalsOf(list, reports, 1));
}

/** Removes deleted reports from all totals. Totals that get to zero are deleted: they name users. */
export async function removeFromTotals(tx: Tx, list: List, reports: readonly CountedReport[]): Promise<void> {
  const totals = totalsOf(list, reports, -1);
  await changeTotals(tx, list, totals);
  // The update holds the rows' locks, so no other transaction is counting in them.
  for (const chunk of chunks(totals, rowsPerStatement)) {
    const keys = chunk.map(({ key, part }) => sql`(${sql.join(key)}, ${sql.lit(part)})`);
    await sql`
      delete from ${sql.table(totalsTables[list])}
      where total = 0 and (${keyColumns(list)}) in (values ${sql.join(keys)})`.execute(tx);
  }
}

/** Every combination of filters that a report matches, in the order of the keys. An empty string means "any". */
function totalsOfReport(list: List, report: CountedReport, count: number): Total[] {
  let keys: unknown[][] = [[]];
  for (const column of filterColumns[list]) {
    keys = keys.flatMap((key) => [
      [...key, ''],
      [...key, report[column]],
    ]);
  }
  return keys.map((key) => ({ key, part: report.part, count }));
}

/** Returns totals in the order of their keys, in which all transactions lock them. */
function totalsOf(list: List, reports: readonly CountedReport[], by: 1 | -1): Total[] {
  const totals = new Map<string, Total>();
  for (const total of reports.flatMap((report) => totalsOfReport(list, report, by))) {
    const id = [...total.key, total.part].join('\0');
    const same = totals.get(id);
    if (same) same.count += by;
    else totals.set(id, total);
  }
  return [...totals].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
}

async function changeTotals(tx: Tx, list: List, totals: readonly Total[]): Promise<void> {
  for (const chunk of chunks(totals, rowsPerStatement)) await addition(list, chunk).execute(tx);
}

function addition(list: List, totals: readonly Total[]) {
  const table = sql.table(totalsTables[list]);
  const rows = totals.map(({ key, part, count }) => sql`(${sql.join(key)}, ${part}, ${count})`);
  return sql`
    insert into ${table} (${keyColumns(list)}, total) values ${sql.join(rows)}
    on conflict (${keyColumns(list)}) do update set total = ${table}.total + excluded.total`;
}

const keyColumns = (list: List) =>
  sql.join([...filterColumns[list], 'part'].map((column) => sql.ref(column)));
