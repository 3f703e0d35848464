/** Media that events refer to. */
import type { Database } from '../../platform/database/schema.ts';
import { addressOf, type MediaAddress } from './media-address.ts';

export async function insertRoomMedia(
  db: Database,
  roomId: string,
  streamOrdering: number,
  addresses: readonly MediaAddress[],
): Promise<void> {
  if (addresses.length === 0) return;
  await db
    .insertInto('room_media')
    .values(
      addresses.map(({ serverName, mediaId }) => ({
        stream_ordering: streamOrdering,
        room_id: roomId,
        server_name: serverName,
        media_id: mediaId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the distinct MXC URIs in a room's events. */
export async function listRoomMedia(db: Database, roomId: string): Promise<MediaAddress[]> {
  const rows = await db
    .selectFrom('room_media')
    .select(['server_name', 'media_id'])
    .distinct()
    .where('room_id', '=', roomId)
    .orderBy('server_name')
    .orderBy('media_id')
    .execute();
  return rows.map((row) => ({ serverName: row.server_name, mediaId: row.media_id }));
}

/** Returns a page of the distinct media of a server in a room's events, by media ID. */
export async function listRoomMediaOfServer(
  db: Database,
  roomId: string,
  serverName: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('room_media')
    .select('media_id')
    .distinct()
    .where('room_id', '=', roomId)
    .where('server_name', '=', serverName)
    .where('media_id', '>', after)
    .orderBy('media_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.media_id);
}

/** Returns the media, of these of a server, that are avatars of users or rooms. */
export async function findAvatars(
  db: Database,
  serverName: string,
  mediaIds: readonly string[],
): Promise<Set<string>> {
  if (mediaIds.length === 0) return new Set();
  const address = (mediaId: string) => addressOf(serverName, mediaId);
  const profiles = await db
    .selectFrom('users')
    .select('avatar_url')
    .where('avatar_url', 'in', mediaIds.map(address))
    .execute();
  const rooms = await db
    .selectFrom('room_media')
    .innerJoin('events', 'events.stream_ordering', 'room_media.stream_ordering')
    .innerJoin('current_state', (join) =>
      join
        .onRef('current_state.room_id', '=', 'room_media.room_id')
        .on('current_state.type', '=', 'm.room.avatar')
        .onRef('current_state.event_id', '=', 'events.event_id'),
    )
    .select('room_media.media_id')
    .where('room_media.media_id', 'in', mediaIds)
    .where('room_media.server_name', '=', serverName)
    .execute();
  const ofUsers = new Set(profiles.map((profile) => profile.avatar_url));
  return new Set([
    ...mediaIds.filter((mediaId) => ofUsers.has(address(mediaId))),
    ...rooms.map((room) => room.media_id),
  ]);
}
