/** User and room reports. Synapse's "User reports"; room reports work alike. */
import { type FetchQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { EmptyObject, Nullable } from '../../../shared/api/common.ts';
import type { Server } from '../../transport/server.ts';
import { getLeniently } from '../lenient.ts';
import { offeredQuery } from '../supported-endpoints.ts';
import { deletionsKeyOf } from './deleted-reports.ts';
import { falseIfNotFound } from './event-reports.ts';
import { loadExact } from './exact-reports.ts';
import { readReports } from './listed-reports.ts';
import { type AskReports, type ReportOrder, type ReportSource, reportTotalQuery } from './report-source.ts';

export type FiledKind = 'user' | 'room';

const common = {
  id: Type.Integer(),
  received_ts: Type.Integer(),
  user_id: Type.String(),
  reason: Type.Optional(Nullable(Type.String())),
};
const OnUser = Type.Object({ ...common, target_user_id: Type.String() });
const OnRoom = Type.Object({ ...common, room_id: Type.String() });

export type FiledReport = {
  id: number;
  received_ts: number;
  /** The reporter. */
  by: string;
  /** The reported user or room. */
  about: string;
  reason: string;
};

export type FiledBy = { by?: string | undefined; about?: string | undefined };

type FiledReportFilter = FiledBy & { dir: ReportOrder };

const paths = { user: '/v1/user_reports', room: '/v1/room_reports' } as const;
const aboutNames = { user: 'target_user_id', room: 'room_id' } as const;
const UserPage = Type.Object({ user_reports: Type.Array(Type.Unknown()), total: Type.Integer() });
const RoomPage = Type.Object({ room_reports: Type.Array(Type.Unknown()), total: Type.Integer() });
const blank = { by: '', about: '', reason: '' };

const asReport = (report: Static<typeof OnUser> | Static<typeof OnRoom>): FiledReport => ({
  id: report.id,
  received_ts: report.received_ts,
  by: report.user_id,
  about: 'room_id' in report ? report.room_id : report.target_user_id,
  reason: report.reason ?? '',
});

/** Loads pages of matching reports. */
export const askFiledReports = (
  server: Server,
  kind: FiledKind,
  { by, about }: FiledBy,
  signal?: AbortSignal,
): AskReports<FiledReport> =>
  loadExact(
    async ({ dir, from, limit }) => {
      const query = new URLSearchParams({ from: String(from), limit: String(limit), dir });
      if (by) query.set('user_id', by);
      if (about) query.set(aboutNames[kind], about);
      const path = `${paths[kind]}?${query}`;
      const reading = { dir, reportOf: asReport, blank };
      const { rows, total } =
        kind === 'user'
          ? await getLeniently(server, UserPage, path, { signal }).then(({ user_reports, total }) => ({
              rows: readReports(OnUser, user_reports, { ...reading, name: 'user_reports' }),
              total,
            }))
          : await getLeniently(server, RoomPage, path, { signal }).then(({ room_reports, total }) => ({
              rows: readReports(OnRoom, room_reports, { ...reading, name: 'room_reports' }),
              total,
            }));
      const end = from + rows.length;
      return { event_reports: rows, total, ...(end < total && rows.length > 0 && { next_token: end }) };
    },
    {
      userIds: [by, kind === 'user' ? about : undefined],
      matches: (report) => matchesFiledBy(report, { by, about }),
    },
  );

/** Whether a report matches a filter exactly. */
const matchesFiledBy = (report: FiledReport, { by, about }: FiledBy) =>
  (!by || report.by === by) && (!about || report.about === about);

export const filedReportList = (server: Server, kind: FiledKind, { dir, ...filter }: FiledReportFilter) => ({
  key: [server.id, 'filed-reports', kind, { ...filter, dir }],
  async fetch(from: number, limit: number, signal: AbortSignal) {
    const ask = askFiledReports(server, kind, filter, signal);
    const { event_reports: rows, total } = await ask({ dir, from, limit });
    return { rows, total };
  },
});

export const filedReportQuery = (server: Server, kind: FiledKind, id: number) =>
  queryOptions({
    queryKey: [server.id, 'filed-reports', kind, 'detail', id],
    queryFn: async ({ signal }) => {
      const path = `${paths[kind]}/${id}`;
      return asReport(
        kind === 'user'
          ? await getLeniently(server, OnUser, path, { signal })
          : await getLeniently(server, OnRoom, path, { signal }),
      );
    },
    staleTime: 5 * 60_000,
  });

/**
 * Deletes a report.
 *
 * @returns false if it was already deleted
 */
export const deleteFiledReport = (server: Server, kind: FiledKind, id: number): Promise<boolean> =>
  server.send('DELETE', EmptyObject, `${paths[kind]}/${id}`).then(() => true, falseIfNotFound);

export const filedReports = (
  server: Server,
  kind: FiledKind,
  { about, by }: FiledBy,
): ReportSource<FiledReport> => ({
  server,
  of: `${kind}_report`,
  deletionsKey: deletionsKeyOf(server.id, `${kind}_report`),
  key: JSON.stringify([kind, about, by]),
  isFiltered: about !== undefined || by !== undefined,
  ask: (signal) => askFiledReports(server, kind, { about, by }, signal),
  matches: (report) => matchesFiledBy(report, { about, by }),
  detail: (id) => filedReportQuery(server, kind, id) as unknown as FetchQueryOptions<FiledReport>,
  totalKey: [server.id, 'filed-reports', kind, 'total', { about, by }],
  unfiltered: () => filedReports(server, kind, {}),
});

/** Returns the number of reports on this user or room, or by this user. */
export const filedReportTotalQuery = (server: Server, kind: FiledKind, filter: FiledBy) =>
  reportTotalQuery(filedReports(server, kind, filter));

/** Returns totals for the badge. */
export const filedTotalsQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'filed-reports', 'totals'],
    async queryFn({ client, signal }) {
      const offered = await client.fetchQuery(offeredQuery(server));
      /** Returns the number and the newest ID; undefined if the server doesn't support this kind. */
      const total = async (kind: FiledKind) => {
        if (!offered.has(`${kind}Reports`)) return undefined;
        const { rows, total } = await filedReportList(server, kind, { dir: 'b' }).fetch(0, 1, signal);
        return { total, newestId: rows[0]?.id };
      };
      return { user: await total('user'), room: await total('room') };
    },
    staleTime: 15_000,
  });
