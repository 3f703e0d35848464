import {
  type InfiniteData,
  infiniteQueryOptions,
  mutationOptions,
  queryOptions,
} from '@tanstack/react-query';
import { EmptyObject } from '../../shared/api/common.ts';
import { EventReportDetail, type EventReportItem, EventReportPage } from '../../shared/api/event-reports.ts';
import { NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import type { DeletedReports, Tombstones } from './deleted-reports.ts';

export type EventReportFilter = {
  room_id?: string;
  user_id?: string;
  event_sender_user_id?: string;
};

export type EventReportOrder = 'b' | 'f';

export const reportsPerPage = 100;

export type LoadedPage = EventReportPage & {
  /** How many reports had been deleted from here when this page was asked for. */
  deletedBefore: number;
  /** The newest report that the page held when it was loaded. */
  newestId: number;
};
export type LoadedReports = InfiniteData<LoadedPage>;

/**
 * All reports that match, page by page; `shownReports` is what there is to see of them.
 * Interface: "GET …/event_reports".
 */
export const eventReportsQuery = (
  server: Server,
  deleted: DeletedReports,
  filter: EventReportFilter,
  dir: EventReportOrder,
) =>
  infiniteQueryOptions({
    queryKey: [server.id, 'event-reports', 'list', filter, dir] as const,
    queryFn: async ({
      pageParam,
      signal,
    }: {
      pageParam: number;
      signal: AbortSignal;
    }): Promise<LoadedPage> => {
      // Noted before it is asked for: what is deleted meanwhile may or may not be missing from the reply.
      const deletedBefore = deleted.count(server.id);
      const page = await server.get(
        EventReportPage,
        `/v1/event_reports?${query({ ...filter, dir, from: pageParam, limit: reportsPerPage })}`,
        { signal },
      );
      return { ...page, deletedBefore, newestId: Math.max(0, ...page.event_reports.map(({ id }) => id)) };
    },
    initialPageParam: 0,
    getNextPageParam: ({ next_token, deletedBefore }): number | undefined => {
      if (next_token === undefined) return undefined;
      // Each deletion moves what comes after it forward by one. Stepping back as far as that can be shows
      // some reports twice, which `shownReports` mends; otherwise those at the seam would never be seen.
      return Math.max(0, next_token - (deleted.count(server.id) - deletedBefore));
    },
    // Pages move under an offset; refetching them all because a window got the focus would be a storm.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

/** What of the loaded pages there is to see: every report once, and none that was deleted. */
export function shownReports({ pages }: LoadedReports, tombstones: Tombstones) {
  const seen = new Map<number, EventReportItem>();
  // New reports push older ones over a page's end, so pages can overlap.
  for (const page of pages) for (const report of page.event_reports) seen.set(report.id, report);
  const latest = pages.at(-1);
  const loaded = [...seen.values()];
  const countedStill = loaded.filter(({ id }) => (tombstones.get(id) ?? 0) > (latest?.deletedBefore ?? 0));
  return {
    reports: loaded.filter(({ id }) => !tombstones.has(id)),
    /** How many match on the server, without those that are deleted or about to be. */
    total: (latest?.total ?? 0) - countedStill.length,
  };
}

/** How many reports match; the page itself isn't asked for. */
export const eventReportTotalQuery = (server: Server, filter: EventReportFilter) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'total', filter],
    queryFn: async ({ signal }) => {
      const page = await server.get(EventReportPage, `/v1/event_reports?${query({ ...filter, limit: 1 })}`, {
        signal,
      });
      return { total: page.total, newestId: page.event_reports[0]?.id };
    },
    staleTime: 15_000,
  });

/** Reports against one sender, newest first: enough to list the others on the same event. */
export const reportsOnSenderQuery = (server: Server, sender: string) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'on-sender', sender],
    queryFn: ({ signal }) =>
      server.get(
        EventReportPage,
        `/v1/event_reports?${query({ event_sender_user_id: sender, limit: reportsPerPage })}`,
        { signal },
      ),
    staleTime: 15_000,
  });

/** One report with its event. Interface: "GET …/event_reports/<report_id>". */
export const eventReportQuery = (server: Server, reportId: number) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'detail', reportId],
    queryFn: ({ signal }) => server.get(EventReportDetail, `/v1/event_reports/${reportId}`, { signal }),
    staleTime: 5 * 60_000,
    // The event can be nested too deep for a recursive comparison.
    structuralSharing: false,
  });

/** So many deletions are on their way at once: a hundred at a time would look like an attack. */
const atOnce = 4;

export type Refusals = { refused: number[]; reason: Error | undefined };

/**
 * Deletes reports, and says which of them the server kept and why. With `closing` the page goes away: all
 * leave at once, and nobody sees what becomes of them. Interface: "DELETE …/event_reports/<report_id>".
 */
export const deleteEventReports = (server: Server, deleted: DeletedReports) =>
  mutationOptions({
    mutationKey: [server.id, 'event-reports', 'delete'],
    mutationFn: async ({ reportIds, closing }: { reportIds: readonly number[]; closing: boolean }) => {
      const queue = [...reportIds];
      const refusals: Refusals = { refused: [], reason: undefined };
      const work = async () => {
        for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
          try {
            await server
              .send('DELETE', EmptyObject, `/v1/event_reports/${id}`, { keepalive: closing })
              .catch(ignoreGone);
            deleted.confirm(server.id, id);
          } catch (error) {
            refusals.refused.push(id);
            refusals.reason = error as Error;
          }
        }
      };
      await Promise.all(Array.from({ length: closing ? queue.length : atOnce }, work));
      deleted.restore(server.id, refusals.refused);
      return refusals;
    },
    onSettled: async (_refusals, _error, { reportIds }, _result, { client }) => {
      for (const id of reportIds) client.removeQueries(eventReportQuery(server, id));
      await Promise.all(
        ['total', 'on-sender'].map((part) =>
          client.invalidateQueries({ queryKey: [server.id, 'event-reports', part] }),
        ),
      );
    },
  });

/** Someone else deleted it first: what was wanted is so. */
function ignoreGone(error: unknown) {
  if (!(error instanceof NotFound)) throw error;
}

function query(parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
