/** Quarantines, protects and deletes media. Synapse's "Media Admin API". */
import pLimit from 'p-limit';
import { Type } from 'typebox';
import { EmptyObject, Nullable } from '../../shared/api/common.ts';
import { isTemporary, NoSuchEndpoint, NotFound } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';
import { getMedium, getRoomMedia, parseMxcUri } from './media.ts';

const nothing = body(EmptyObject, {});

/** Returns the path segments `server/id` of an mxc URI. */
function mediaPath(uri: string): string {
  const { origin, mediaId } = parseMxcUri(uri);
  return `${encodeURIComponent(origin)}/${encodeURIComponent(mediaId)}`;
}

export const setQuarantined = (server: Server, uri: string, quarantined: boolean) =>
  server.send(
    'POST',
    EmptyObject,
    `/v1/media/${quarantined ? 'quarantine' : 'unquarantine'}/${mediaPath(uri)}`,
    { body: nothing, idempotent: true },
  );

/** Protected media can't be quarantined. Servers support this for local media only. */
export const setProtected = (server: Server, mediaId: string, isProtected: boolean) =>
  server.send(
    'POST',
    EmptyObject,
    `/v1/media/${isProtected ? 'protect' : 'unprotect'}/${encodeURIComponent(mediaId)}`,
    { body: nothing, idempotent: true },
  );

const Protection = Type.Object({
  media_info: Type.Object({ safe_from_quarantine: Type.Optional(Type.Unknown()) }),
});

/** Whether media is protected; false if the server doesn't say. @throws ConnectionFailure a temporary one */
export const isProtected = (server: Server, uri: string): Promise<boolean> =>
  server.get(Protection, `/v1/media/${mediaPath(uri)}`).then(
    ({ media_info }) => Boolean(media_info.safe_from_quarantine),
    (error) => {
      if (isTemporary(error)) throw error;
      return false;
    },
  );

const Deleted = Type.Object({ total: Type.Integer() });

/** Deletes local media permanently. */
export const deleteMedium = (server: Server, uri: string) =>
  server.send('DELETE', Deleted, `/v1/media/${mediaPath(uri)}`, { patient: true });

const deletePageSize = 500;

/** Deletes all media of a user permanently. Returns the number of files. */
export async function deleteUserMedia(server: Server, userId: string): Promise<number> {
  const path = `/v1/users/${encodeURIComponent(userId)}/media?limit=${deletePageSize}`;
  for (let count = 0; ; ) {
    const { total } = await server.send('DELETE', Deleted, path, { patient: true });
    if (total === 0) return count;
    count += total;
  }
}

export type UnusedFilter = {
  /** Last accessed, or uploaded and never accessed, before this time in milliseconds since the Unix epoch. */
  before: number;
  /** In bytes. */
  largerThan: number;
  /** Keeps avatars of users and rooms. */
  keepProfiles: boolean;
};

/** Deletes unused local media permanently. Returns the number of files. */
export async function deleteUnused(
  server: Server,
  { before, largerThan, keepProfiles }: UnusedFilter,
): Promise<number> {
  const query = `before_ts=${before}&size_gt=${largerThan}&keep_profiles=${keepProfiles}`;
  return (await server.send('POST', Deleted, `/v1/media/delete?${query}`, { body: nothing, patient: true }))
    .total;
}

const Purged = Type.Object({ deleted: Type.Integer() });

/** Purges cached remote media that wasn't accessed since a time. Returns the number of files. */
export async function purgeRemoteCache(server: Server, before: number): Promise<number> {
  const path = `/v1/purge_media_cache?before_ts=${before}`;
  return (await server.send('POST', Purged, path, { body: nothing, patient: true })).deleted;
}

const Quarantined = Type.Object({ num_quarantined: Type.Integer() });

/** Quarantines all media of a user. Returns the number of files. */
export async function quarantineUserMedia(server: Server, userId: string): Promise<number> {
  const path = `/v1/user/${encodeURIComponent(userId)}/media/quarantine`;
  return (await server.send('POST', Quarantined, path, { body: nothing })).num_quarantined;
}

/** Quarantines all media in a room. Returns the number of files. */
export async function quarantineRoomMedia(server: Server, roomId: string): Promise<number> {
  const path = `/v1/room/${encodeURIComponent(roomId)}/media/quarantine`;
  return (await server.send('POST', Quarantined, path, { body: nothing })).num_quarantined;
}

const UserMedia = Type.Object({
  media: Type.Array(Type.Object({ media_id: Type.String(), quarantined_by: Nullable(Type.String()) })),
  next_token: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
});

const pageSize = 500;

/** Returns the mxc URIs of a user's media that is, or isn't, quarantined. */
export async function userMediaUris(server: Server, userId: string, quarantined: boolean): Promise<string[]> {
  const uris: string[] = [];
  const serverName = userId.slice(userId.indexOf(':') + 1);
  for (let from: string | number | undefined = 0; from !== undefined; ) {
    const path = `/v1/users/${encodeURIComponent(userId)}/media?limit=${pageSize}&from=${from}`;
    const page: {
      media: { media_id: string; quarantined_by: string | null }[];
      next_token?: string | number;
    } = await server.get(UserMedia, path);
    for (const { media_id, quarantined_by } of page.media) {
      if ((quarantined_by !== null) === quarantined) uris.push(`mxc://${serverName}/${media_id}`);
    }
    from = page.next_token;
  }
  return uris;
}

const concurrency = 4;

/**
 * Returns the media of a room that isn't quarantined, without media that the server has no copy of; undefined if the
 * server has no endpoint for file details.
 */
export async function unquarantinedRoomMedia(server: Server, roomId: string): Promise<string[] | undefined> {
  const { local, remote } = await getRoomMedia(server, roomId);
  const limit = pLimit(concurrency);
  try {
    const uris = await limit.map([...local, ...remote], async (uri) => {
      const medium = await getMedium(server, uri).catch(unlessNotFound);
      return medium && !medium.quarantined_by ? [uri] : [];
    });
    return uris.flat();
  } catch (error) {
    limit.clearQueue();
    if (error instanceof NoSuchEndpoint) return undefined;
    throw error;
  }
}

function unlessNotFound(error: unknown): undefined {
  if (error instanceof NotFound) return undefined;
  throw error;
}
