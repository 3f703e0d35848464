/** Segments of the rooms: filters that the server lacks, which combine. */
import pLimit from 'p-limit';
import type { ListFilter } from '../../api/list-scan.ts';
import { getRoomBlock } from '../../api/room.ts';
import type { RoomListItem } from '../../api/room-list.ts';
import type { Server } from '../../transport/server.ts';
import type { RoomTrait } from './room-search.ts';

/** Whether the room matches; lists don't say whether it's blocked. */
export function hasTrait(room: RoomListItem, trait: Exclude<RoomTrait, 'blocked'>): boolean {
  switch (trait) {
    case 'abandoned':
      return room.joined_local_members === 0;
    case 'encrypted':
      return Boolean(room.encryption);
    case 'unencrypted':
      return !room.encryption;
    case 'space':
      return room.room_type === 'm.space';
  }
}

const concurrency = 4;

export const roomSegmentFilter = (
  server: Server,
  traits: readonly RoomTrait[],
): ListFilter<RoomListItem> => ({
  key: traits,
  isCostly: traits.includes('blocked'),
  async select(rooms, signal) {
    const matches = rooms.filter((room) =>
      traits.every((trait) => trait === 'blocked' || hasTrait(room, trait)),
    );
    if (!traits.includes('blocked')) return matches;
    const states = await pLimit(concurrency).map(matches, ({ room_id }) => {
      signal.throwIfAborted();
      return getRoomBlock(server, room_id, signal);
    });
    return matches.filter((_, index) => states[index]?.block);
  },
});
