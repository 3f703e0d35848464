/** Recent and large files of a few users, since no server lists the media of all. */
import { queryOptions } from '@tanstack/react-query';
import { isExpected } from '../../api/lenient.ts';
import { type Medium, mediaStatistics, userMediaPage } from '../../api/media.ts';
import { limitedRowRequest } from '../../api/paging.ts';
import { askReports } from '../../api/reports/event-reports.ts';
import { NotFound } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';

export type OwnedFile = Medium & { owner: string };

/** Number of users whose files are compared. */
export const comparedUsers = 8;
const perUser = 16;
const staleTime = 60_000;
const recentMs = 7 * 24 * 60 * 60 * 1000;

/** Returns the newest or largest files of some users, across all of them. */
export const highlightsQuery = (
  server: Server,
  userIds: readonly string[],
  order: 'created_ts' | 'media_length',
) =>
  queryOptions({
    queryKey: [server.id, 'media', 'highlights', order, userIds],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        userIds.map((owner) =>
          limitedRowRequest(signal, () => filesOf(server, owner, order, signal)).catch((error) => {
            if (error instanceof NotFound) return [];
            throw error;
          }),
        ),
      );
      return lists.flat().sort((one, other) => (other[order] ?? 0) - (one[order] ?? 0));
    },
    staleTime,
  });

async function filesOf(
  server: Server,
  owner: string,
  order: 'created_ts' | 'media_length',
  signal: AbortSignal,
): Promise<OwnedFile[]> {
  const page = await userMediaPage(server, owner, { order, dir: 'b', from: 0, limit: perUser }, signal);
  return page.rows.filter(isExpected).map((medium) => ({ ...medium, owner }));
}

/** Returns the users with the most uploads of the last days. */
export const recentUploadersQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'media', 'recent uploaders'],
    queryFn: async ({ signal }) => {
      const from = Date.now() - recentMs;
      const source = mediaStatistics(server, { from, order: 'media_count', dir: 'b' });
      const { rows } = await source.fetch(0, comparedUsers, signal);
      return rows.filter(isExpected).map(({ user_id: userId }) => userId);
    },
    staleTime,
  });

/** Returns the local senders of the newest reported events. */
export const reportedSendersQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'media', 'reported senders'],
    queryFn: async ({ signal }) => {
      const { event_reports: reports } = await askReports(
        server,
        {},
        signal,
      )({ dir: 'b', from: 0, limit: 50 });
      const local = `:${serverName(server.connection)}`;
      const senders = reports.flatMap(({ sender }) => (sender?.endsWith(local) ? [sender] : []));
      return [...new Set(senders)].slice(0, comparedUsers);
    },
    staleTime,
  });
