/** Direct messages from the signed-in admin. Matrix specification, client-server API, "Direct Messaging". */
import pLimit from 'p-limit';
import { isObject } from '../../shared/is-object.ts';
import type { Server } from '../transport/server.ts';
import { getMembership } from './memberships.ts';
import { createRoom, readAccountData, sendEvent, writeAccountData } from './team-room.ts';

/** Rooms by user. Only the console's own: those of chat clients may be encrypted. */
const ownRooms = 'io.gatehouse.direct';
/** Marks a room as direct for chat clients. */
const directRooms = 'm.direct';

/** Sends a text, in the room of an earlier one if the user is still in it. */
export async function sendDirectMessage(server: Server, userId: string, text: string, transaction: string) {
  const roomId = await server.state(oneAtATime)(() => roomWith(server, userId));
  await sendEvent(server, roomId, {
    type: 'm.room.message',
    content: { msgtype: 'm.text', body: text },
    transactionId: transaction,
  });
}

/** Account data is read, changed and written as a whole. */
const oneAtATime = () => pLimit(1);

async function roomWith(server: Server, userId: string): Promise<string> {
  const own = (await readAccountData(server, ownRooms)) ?? {};
  const before = own[userId];
  if (typeof before === 'string' && (await isUsable(server, before, userId))) return before;
  // The user gets no power level, because they could enable encryption.
  const roomId = await createRoom(server, { preset: 'private_chat', is_direct: true, invite: [userId] });
  await writeAccountData(server, ownRooms, { ...own, [userId]: roomId });
  const all = (await readAccountData(server, directRooms)) ?? {};
  const others = isObject(all) && Array.isArray(all[userId]) ? (all[userId] as unknown[]) : [];
  await writeAccountData(server, directRooms, { ...all, [userId]: [...others, roomId] });
  return roomId;
}

async function isUsable(server: Server, roomId: string, userId: string): Promise<boolean> {
  const [own, theirs] = await Promise.all(
    [server.connection.userId, userId].map((each) => getMembership(server, { roomId, userId: each })),
  );
  return own?.membership === 'join' && ['join', 'invite'].includes(theirs?.membership ?? '');
}
