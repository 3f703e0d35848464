import { type FetchQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { Type } from 'typebox';
import { EmptyObject } from '../../../shared/api/common.ts';
import {
  EventReportDetail,
  EventReportItem,
  EventReportPage,
  maximumReportsPerPage,
} from '../../../shared/api/reports.ts';
import { NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { getLeniently } from '../lenient.ts';
import { limitedRowRequest } from '../paging.ts';
import { offeredQuery } from '../supported-endpoints.ts';
import { loadUser, userQuery } from '../user.ts';
import type { DeletedReports } from './deleted-reports.ts';
import { inDeletion } from './deleted-reports.ts';
import { loadExact } from './exact-reports.ts';
import { isReadable, readReports } from './listed-reports.ts';
import { type AskReports, type ReportSource, reportsPerPage, reportTotalQuery } from './report-source.ts';

export type EventReportFilter = {
  room_id?: string;
  user_id?: string;
  event_sender_user_id?: string;
};

/** Serializes slow requests. */
const slowRequests = pLimit(1);

/** Entries are read separately. */
const Page = Type.Object({ ...EventReportPage.properties, event_reports: Type.Array(Type.Unknown()) });

const blank = {
  ...{ room_id: '', name: null, event_id: '', user_id: '', reason: null, score: null },
  ...{ sender: null, canonical_alias: null },
};

/** Whether a report matches a filter exactly. */
const matchesReportFilter = (
  report: EventReportItem,
  { room_id, user_id, event_sender_user_id }: EventReportFilter,
) =>
  (!room_id || report.room_id === room_id) &&
  (!user_id || report.user_id === user_id) &&
  (!event_sender_user_id || report.sender === event_sender_user_id);

/** Loads pages of matching reports. `GET …/event_reports`. */
export const askReports = (
  server: Server,
  filter: EventReportFilter,
  signal?: AbortSignal,
): AskReports<EventReportItem> =>
  loadExact(
    async (range) => {
      const path = `/v1/event_reports?${query({ ...filter, ...range })}`;
      const page = await getLeniently(server, Page, path, { signal });
      const event_reports = readReports(EventReportItem, page.event_reports, {
        name: 'event_reports',
        dir: range.dir,
        reportOf: (report) => report,
        blank,
      });
      return { ...page, event_reports };
    },
    {
      userIds: [filter.user_id, filter.event_sender_user_id],
      matches: (report) => matchesReportFilter(report, filter),
    },
  );

export const eventReports = (server: Server, filter: EventReportFilter): ReportSource<EventReportItem> => ({
  server,
  of: 'report',
  deletionsKey: server.id,
  key: JSON.stringify(['event', filter]),
  isFiltered: Object.keys(filter).length > 0,
  ask: (signal) => askReports(server, filter, signal),
  matches: (report) => matchesReportFilter(report, filter),
  detail: (id) => eventReportQuery(server, id) as unknown as FetchQueryOptions<EventReportItem>,
  totalKey: [server.id, 'event-reports', 'total', filter],
  unfiltered: () => eventReports(server, {}),
});

export const eventReportTotalQuery = (server: Server, filter: EventReportFilter) =>
  reportTotalQuery(eventReports(server, filter));

/** Returns the newest reports on one sender. */
export const reportsOnSenderQuery = (server: Server, sender: string) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'on-sender', sender],
    queryFn: ({ signal }) => {
      const ask = askReports(server, { event_sender_user_id: sender }, signal);
      return limitedRowRequest(signal, async () => {
        const page = await ask({ dir: 'b', from: 0, limit: reportsPerPage });
        return { ...page, event_reports: page.event_reports.filter(isReadable) };
      });
    },
    staleTime: 15_000,
  });

/** The IDs of a reporter's newest reports. */
export const reportIdsByQuery = (server: Server, reporter: string) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'by-reporter', reporter],
    queryFn: ({ signal }) => {
      const ask = askReports(server, { user_id: reporter }, signal);
      return limitedRowRequest(signal, async () => {
        const page = await ask({ dir: 'b', from: 0, limit: reportsPerPage });
        return page.event_reports.map(({ id }) => id);
      });
    },
    staleTime: 60_000,
  });

/** Counts a sender's newest reports in one room by event, as the server can't filter by event. Throttled, for rows. */
export const reportsByEventQuery = (server: Server, sender: string, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'on-sender', sender, roomId],
    queryFn: async ({ signal }) => {
      const ask = askReports(server, { event_sender_user_id: sender, room_id: roomId }, signal);
      const { event_reports, next_token } = await slowRequests(() =>
        ask({ dir: 'b', from: 0, limit: maximumReportsPerPage }),
      );
      const counts: Record<string, number> = {};
      for (const { event_id } of event_reports) counts[event_id] = (counts[event_id] ?? 0) + 1;
      return { counts, isComplete: next_token === undefined };
    },
    staleTime: 60_000,
  });

/** As `userQuery`, throttled and cached longer, for rows of a list. Sends nothing to a server without accounts. */
export const reportedAccountQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: userQuery(server, userId).queryKey,
    async queryFn({ client, signal }) {
      const offered = await client.ensureQueryData(offeredQuery(server));
      if (!offered.has('users')) throw new NoSuchEndpoint();
      return limitedRowRequest(signal, () => loadUser(server, userId, signal));
    },
    staleTime: 5 * 60_000,
    retry: false,
  });

/** Returns a report with its event. `GET …/event_reports/<report_id>`. */
export const eventReportQuery = (server: Server, reportId: number) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'detail', reportId],
    queryFn: ({ signal }) =>
      getLeniently(server, EventReportDetail, `/v1/event_reports/${reportId}`, { signal }),
    staleTime: 5 * 60_000,
    // The event can be nested too deep for a recursive comparison.
    structuralSharing: false,
  });

/**
 * Deletes a report. `DELETE …/event_reports/<report_id>`.
 *
 * @returns false if it was already deleted
 */
export async function deleteEventReport(
  server: Server,
  deleted: DeletedReports,
  reportId: number,
): Promise<boolean> {
  const send = async (turn: number) => {
    const sentAt = Date.now();
    const wasThere = await server
      .send('DELETE', EmptyObject, `/v1/event_reports/${reportId}`, { idempotent: true })
      .then(() => true, falseIfNotFound);
    deleted.confirm(server.id, reportId, { turn, sentAt });
    return wasThere;
  };
  return inDeletion({ server, deletionsKey: server.id }, send);
}

/** Drops deleted reports from the cache and invalidates totals. */
export async function dropDeleted(client: QueryClient, serverId: string, reportIds: readonly number[]) {
  for (const id of reportIds) client.removeQueries({ queryKey: [serverId, 'event-reports', 'detail', id] });
  await Promise.all(
    ['total', 'on-sender'].map((part) =>
      client.invalidateQueries({ queryKey: [serverId, 'event-reports', part] }),
    ),
  );
}

/** Treats an already deleted report as success. */
export function falseIfNotFound(error: unknown): false {
  if (!(error instanceof NotFound)) throw error;
  return false;
}

function query(parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
