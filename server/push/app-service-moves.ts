/**
 * Whose devices an application service that encrypts has to know because of who came into encrypted rooms, and whose it
 * needn't follow any more because of who left. Matrix proposal 3202.
 */
import type { ClientEvent } from '../../shared/api/events.ts';
import type { AppService } from '../accounts/app-services.ts';
import type { Database } from '../database/schema.ts';
import { listAllMembers } from '../rooms/membership-store.ts';
import { listEncryptedOf, listSharingWithService } from './app-service-key-store.ts';

/** Somebody who has come to share a room with a user of the service, or no longer does. */
export type Move = { roomId: string; userId: string; isIn: boolean };

/** Who is invited may be let read what was written before they come. */
const isIn = (content: unknown) =>
  ['join', 'invite'].includes(String((content as { membership?: unknown } | undefined)?.membership));

/** Who came and left: somebody, or with a user of the service, or with the encryption of a room, all who are there. */
export async function movesIn(
  db: Database,
  service: AppService,
  events: readonly ClientEvent[],
): Promise<Move[]> {
  const moves: Move[] = [];
  for (const { type, room_id: roomId, state_key: userId, content, unsigned } of events) {
    if (userId === undefined || !['m.room.member', 'm.room.encryption'].includes(type)) continue;
    const isMember = type === 'm.room.member';
    const move = { roomId, isIn: !isMember || isIn(content) };
    if (isMember && move.isIn === isIn(unsigned.prev_content)) continue;
    const whom = isMember && !service.isFor(userId) ? [userId] : await listAllMembers(db, roomId);
    moves.push(...whom.filter((each) => !service.isFor(each)).map((each) => ({ ...move, userId: each })));
  }
  return moves;
}

/** Of those who have come into encrypted rooms or left them: who shares one now with a user of the service, and who none. */
export async function readMoves(
  db: Database,
  { appServiceId, moves }: { appServiceId: string; moves: readonly Move[] },
): Promise<{ met: string[]; left: string[] }> {
  if (moves.length === 0) return { met: [], left: [] };
  const encrypted = await listEncryptedOf(db, new Set(moves.map(({ roomId }) => roomId)));
  const moved = moves.filter(({ roomId }) => encrypted.has(roomId));
  if (moved.length === 0) return { met: [], left: [] };
  const userIds = new Set(moved.map(({ userId }) => userId));
  const sharing = await listSharingWithService(db, { appServiceId, userIds });
  const those = (which: (move: Move) => boolean) => [
    ...new Set(moved.filter(which).map(({ userId }) => userId)),
  ];
  return {
    met: those((move) => move.isIn && sharing.has(move.userId)),
    left: those((move) => !move.isIn && !sharing.has(move.userId)),
  };
}
