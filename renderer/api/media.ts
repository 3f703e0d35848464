/** Media as admins see it. Synapse's "Media Admin API" and "User Admin API". */
import { queryOptions } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { getLeniently, getList, isExpected, type UnexpectedEntry } from './lenient.ts';
import type { PagedSource } from './paging.ts';

const text = Type.Optional(Nullable(Type.String()));
const time = Type.Optional(Nullable(Type.Number()));
/** Some versions send flags as numbers. */
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.Null()]));

/** Fields vary by version; remote media has fewer. */
export const Medium = Type.Object({
  media_id: Type.String(),
  media_origin: text,
  user_id: text,
  media_type: text,
  media_length: Type.Optional(Nullable(Type.Number({ description: 'Bytes' }))),
  upload_name: text,
  created_ts: time,
  last_access_ts: time,
  quarantined_by: text,
  safe_from_quarantine: flag,
  authenticated: flag,
  sha256: text,
});
export type Medium = Static<typeof Medium>;

/** Returns the mxc URI of local media. */
export const localUri = (server: Server, mediaId: string) =>
  `mxc://${serverName(server.connection)}/${mediaId}`;

/** Splits an mxc URI. */
export function parseMxcUri(uri: string): { origin: string; mediaId: string } {
  const [origin = '', mediaId = ''] = uri.slice('mxc://'.length).split('/');
  return { origin, mediaId };
}

const MediumDetails = Type.Object({ media_info: Medium });

/** Returns the details of one file, local or remote. */
export async function getMedium(server: Server, uri: string, signal?: AbortSignal): Promise<Medium> {
  const { origin, mediaId } = parseMxcUri(uri);
  const path = `/v1/media/${encodeURIComponent(origin)}/${encodeURIComponent(mediaId)}`;
  return (await getLeniently(server, MediumDetails, path, { signal })).media_info;
}

export const mediumQuery = (server: Server, uri: string) =>
  queryOptions({
    queryKey: [server.id, 'medium', uri],
    queryFn: ({ signal }) => getMedium(server, uri, signal),
    staleTime: 30_000,
  });

const limitThumbnails = pLimit(4);

/** Loads a thumbnail; null if the server has none. Queued, and canceled once it's no longer shown. */
export const thumbnailQuery = (server: Server, uri: string, pixels: number) =>
  queryOptions({
    queryKey: [server.id, 'thumbnail', uri, pixels],
    queryFn: ({ signal }) =>
      limitThumbnails(async () => {
        signal.throwIfAborted();
        try {
          return await server.media({ uri, thumbnail: pixels });
        } catch (error) {
          if ((error as { code?: string }).code === 'refused') return null;
          throw error;
        }
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
  });

const RoomMedia = Type.Object({ local: Type.Array(Type.String()), remote: Type.Array(Type.String()) });

/** Returns the mxc URIs in a room's events, without duplicates. */
export async function getRoomMedia(server: Server, roomId: string, signal?: AbortSignal) {
  const path = `/v1/room/${encodeURIComponent(roomId)}/media`;
  const { local, remote } = await server.get(RoomMedia, path, { signal });
  const mxcUri = (uri: string) => (uri.startsWith('mxc://') ? uri : `mxc://${uri}`);
  return { local: [...new Set(local)].map(mxcUri), remote: [...new Set(remote)].map(mxcUri) };
}

export const roomMediaQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'media'],
    queryFn: ({ signal }) => getRoomMedia(server, roomId, signal),
    staleTime: 60_000,
  });

// Media by user. Synapse's "List media uploaded by a user".

export type UserMediaOrder =
  | 'upload_name'
  | 'created_ts'
  | 'last_access_ts'
  | 'media_length'
  | 'media_type'
  | 'quarantined_by'
  | 'safe_from_quarantine';

type UserMediaPage = { order: UserMediaOrder; dir: 'f' | 'b'; from: number; limit: number };

export function userMediaPage(
  server: Server,
  userId: string,
  { order, dir, from, limit }: UserMediaPage,
  signal?: AbortSignal,
) {
  const query = new URLSearchParams({ order_by: order, dir, from: String(from), limit: String(limit) });
  const path = `/v1/users/${encodeURIComponent(userId)}/media?${query}`;
  return getList(server, Medium, 'media', path, { signal });
}

export const userMediaList = (
  server: Server,
  userId: string,
  sort: { order: UserMediaOrder; dir: 'f' | 'b' },
): PagedSource<Medium> => ({
  key: [server.id, 'media', userId, sort],
  fetch: (from, limit, signal) => userMediaPage(server, userId, { ...sort, from, limit }, signal),
});

const scanPageSize = 500;
/** Maximum number of files scanned for a filter: 40 requests. */
export const maxScanned = 20_000;

/** Returns a user's media up to the scan limit, newest first, for filters that the server lacks. */
export const allUserMediaQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'media', userId, 'all'],
    queryFn: async ({ signal }) => {
      const media: (Medium | UnexpectedEntry)[] = [];
      for (;;) {
        const page = await userMediaPage(
          server,
          userId,
          { order: 'created_ts', dir: 'b', from: media.length, limit: scanPageSize },
          signal,
        );
        media.push(...page.rows);
        const isAll = page.rows.length === 0 || media.length >= page.total;
        if (isAll || media.length >= maxScanned) return { media, total: page.total };
      }
    },
    staleTime: 60_000,
  });

// Media usage. Synapse's "Users' media usage statistics".

const UserTotal = Type.Object({
  user_id: Type.String(),
  displayname: Type.Optional(Nullable(Type.String())),
  media_count: Type.Integer(),
  /** Null if the user only reserved URIs (MSC2246) without uploading. */
  media_length: Nullable(Type.Number({ description: 'Bytes' })),
});
export type UserTotal = Omit<Static<typeof UserTotal>, 'media_length'> & { media_length: number };

export type StatisticsFilter = {
  /** Part of a user ID or display name. */
  search?: string | undefined;
  /** Upload time, inclusive, in milliseconds since the Unix epoch. */
  from?: number | undefined;
  until?: number | undefined;
  order: 'user_id' | 'displayname' | 'media_length' | 'media_count';
  dir: 'f' | 'b';
};

/** Lists users with media, with count and size. */
export const mediaStatistics = (server: Server, filter: StatisticsFilter): PagedSource<UserTotal> => ({
  key: [server.id, 'media', 'by user', filter],
  async fetch(from, limit, signal) {
    const query = new URLSearchParams({
      from: String(from),
      limit: String(limit),
      order_by: filter.order,
      dir: filter.dir,
    });
    if (filter.search) query.set('search_term', filter.search);
    if (filter.from !== undefined) query.set('from_ts', String(filter.from));
    if (filter.until !== undefined) query.set('until_ts', String(filter.until));
    const path = `/v1/statistics/users/media?${query}`;
    const { rows, total } = await getList(server, UserTotal, 'users', path, { signal });
    return {
      rows: rows.map((user) => (isExpected(user) ? { ...user, media_length: user.media_length ?? 0 } : user)),
      total,
    };
  },
});
