/** Uploads as administrators see them. The reference homeserver's "Media Admin API" and "User Admin API". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { getLeniently } from './lenient.ts';

const text = Type.Optional(Nullable(Type.String()));
const time = Type.Optional(Nullable(Type.Number()));
/** Some versions say a flag with a number. */
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.Null()]));

/** Servers of other versions give more of it and less; of another server's media they know less. */
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

/** `mxc://server/id` of an upload to the connected server. */
export const ownAddress = (server: Server, mediaId: string) =>
  `mxc://${serverName(server.connection)}/${mediaId}`;

/** The server and the identifier of `mxc://server/id`. */
export function addressParts(uri: string): { origin: string; mediaId: string } {
  const [origin = '', mediaId = ''] = uri.slice('mxc://'.length).split('/');
  return { origin, mediaId };
}

const Info = Type.Object({ media_info: Medium });

/** What the server knows of one upload, its own or a copy of another server's. */
export async function mediumOf(server: Server, uri: string, signal?: AbortSignal): Promise<Medium> {
  const { origin, mediaId } = addressParts(uri);
  const path = `/v1/media/${encodeURIComponent(origin)}/${encodeURIComponent(mediaId)}`;
  return (await getLeniently(server, Info, path, { signal })).media_info;
}

export const mediumQuery = (server: Server, uri: string) =>
  queryOptions({
    queryKey: [server.id, 'medium', uri],
    queryFn: ({ signal }) => mediumOf(server, uri, signal),
    staleTime: 30_000,
  });

const RoomMedia = Type.Object({ local: Type.Array(Type.String()), remote: Type.Array(Type.String()) });

/** The addresses that a room's events name, of this server and of others, each once. */
export async function mediaOfRoom(server: Server, roomId: string, signal?: AbortSignal) {
  const path = `/v1/room/${encodeURIComponent(roomId)}/media`;
  const { local, remote } = await server.get(RoomMedia, path, signal && { signal });
  const whole = (uri: string) => (uri.startsWith('mxc://') ? uri : `mxc://${uri}`);
  return { local: [...new Set(local)].map(whole), remote: [...new Set(remote)].map(whole) };
}

export const roomMediaQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'media'],
    queryFn: ({ signal }) => mediaOfRoom(server, roomId, signal),
    staleTime: 60_000,
  });
