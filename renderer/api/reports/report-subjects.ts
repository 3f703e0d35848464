import { queryOptions } from '@tanstack/react-query';
import { type EventReportItem, maximumReportsPerPage } from '../../../shared/api/reports.ts';
import type { Server } from '../../transport/server.ts';
import { askReports, type EventReportFilter } from './event-reports.ts';
import { isReadable } from './listed-reports.ts';

/** Reports that match a filter, optionally only those on one event. */
export type ReportSubject = { filter: EventReportFilter; eventId?: string };

export type SubjectSummary = {
  /** Number of reports; a lower bound if `isComplete` is false. */
  count: number;
  isComplete: boolean;
  /** Number of newest reports that the other figures are based on. */
  covered: number;
  worst: number | null;
  /** Times of the first and last report, in milliseconds since the Unix epoch. */
  first: number;
  last: number;
  /** By number of reports, descending. */
  reporters: readonly Tally[];
  senders: readonly Tally[];
  /** Maximum number by one reporter within an hour. */
  mostInAnHour: number;
};

export type Tally = { id: string; count: number };

/** There is no filter by event, so its sender's reports in its room are scanned, up to this number. */
const maxPages = 3;

/** Summarizes a subject's reports. */
export const reportSubjectQuery = (server: Server, { filter, eventId }: ReportSubject) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'on-sender', 'subject', filter, eventId ?? null] as const,
    queryFn: async ({ signal }): Promise<SubjectSummary | null> => {
      const ask = askReports(server, filter, signal);
      const reports: EventReportItem[] = [];
      let [total, scanned] = [0, 0];
      for (let page = 0; page < (eventId === undefined ? 1 : maxPages); page++) {
        const from = page * maximumReportsPerPage;
        const reply = await ask({ dir: 'b', from, limit: maximumReportsPerPage });
        total = reply.total;
        scanned += reply.event_reports.length;
        reports.push(
          ...reply.event_reports
            .filter(isReadable)
            .filter(({ event_id }) => eventId === undefined || event_id === eventId),
        );
        if (reply.next_token === undefined) break;
      }
      const newest = reports[0];
      if (!newest) return null;
      const isAll = scanned >= total;
      const oldest =
        isAll || eventId !== undefined
          ? reports.at(-1)
          : (await ask({ dir: 'f', from: 0, limit: 1 })).event_reports[0];
      return {
        count: eventId === undefined ? total : reports.length,
        isComplete: eventId === undefined || isAll,
        covered: reports.length,
        ...summaryOf(reports),
        first: oldest?.received_ts ?? newest.received_ts,
        last: newest.received_ts,
      };
    },
    staleTime: 60_000,
    gcTime: 60_000,
  });

/** Summarizes reports, newest first. */
export function summaryOf(reports: readonly EventReportItem[]) {
  const scores = reports.flatMap(({ score }) => (score === null ? [] : [score]));
  return {
    worst: scores.length > 0 ? scores.reduce((worst, score) => Math.min(worst, score)) : null,
    reporters: tally(reports.map(({ user_id }) => user_id)),
    senders: tally(reports.flatMap(({ sender }) => (sender === null ? [] : [sender]))),
    mostInAnHour: mostInAnHour(reports),
  };
}

function tally(ids: readonly string[]): Tally[] {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].map(([id, count]) => ({ id, count })).sort((one, other) => other.count - one.count);
}

function mostInAnHour(reports: readonly EventReportItem[]): number {
  const times = new Map<string, number[]>();
  let most = 0;
  for (const { user_id, received_ts } of reports) {
    const recent = (times.get(user_id) ?? []).filter((time) => time - received_ts < 3_600_000);
    recent.push(received_ts);
    times.set(user_id, recent);
    most = Math.max(most, recent.length);
  }
  return most;
}
