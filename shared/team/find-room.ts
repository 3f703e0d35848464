/** Finds the team room. Changes nothing. */
import { namespace } from './room-events.ts';
import type { RoomEvent, RoomSummary } from './room-replies.ts';
import { type AdministratorsAmong, mayBeTeamRoom, type TeamRoom, teamRoomOf } from './room-trust.ts';

export const localAlias = 'gatehouse-team';
export const aliasOf = (userId: string) => `#${localAlias}:${userId.slice(userId.indexOf(':') + 1)}`;

/** `isGone`: deleted or empty. Otherwise `others` have elevated power levels; if there are none, anyone can join or read. */
export type LostRoom = { isGone: boolean; others: readonly string[] };

export type RoomSearch = {
  room: TeamRoom | undefined;
  /** Another room that has the alias. */
  impostor: { roomId: string; creator: string | undefined } | undefined;
  /** The former team room. */
  lost: LostRoom | undefined;
};

/** Requests for finding the room. Undefined: not found. */
export type RoomLookups = {
  /** Who searches. */
  userId: string;
  findAlias(alias: string): Promise<string | undefined>;
  /** Reads account data of the user. */
  accountData(type: string): Promise<Record<string, unknown> | undefined>;
  summary(roomId: string): Promise<RoomSummary | undefined>;
  state(roomId: string): Promise<RoomEvent[]>;
  administratorsAmong(userIds: Iterable<string>): ReturnType<AdministratorsAmong>;
};

/** Tries the alias, then the last known room, then the one in account data. */
export async function findRoom(lookups: RoomLookups, knownId: string | undefined): Promise<RoomSearch> {
  const check = (roomId: string) => checkRoom(lookups, roomId);
  const aliased = await lookups.findAlias(aliasOf(lookups.userId));
  const aliasCheck = aliased === undefined ? undefined : await check(aliased);
  if (aliasCheck?.room) return roomFound(aliasCheck.room);

  const note = await lookups.accountData(namespace);
  const savedId = typeof note?.room_id === 'string' && note.room_id !== aliased ? note.room_id : undefined;
  let lost: LostRoom | undefined;
  for (const roomId of new Set([knownId, savedId])) {
    if (roomId === undefined) continue;
    const checked = aliasCheck && roomId === aliased ? aliasCheck : await check(roomId);
    if (checked.room) return roomFound(checked.room);
    lost ??= checked;
  }
  const impostor = aliased === undefined ? undefined : { roomId: aliased, creator: aliasCheck?.creator };
  return { room: undefined, impostor, lost };
}

export const roomFound = (room: TeamRoom): RoomSearch => ({ room, impostor: undefined, lost: undefined });

async function checkRoom(lookups: RoomLookups, roomId: string) {
  const summary = await lookups.summary(roomId);
  const summaryFacts = { creator: summary?.creator ?? undefined, isGone: !summary?.joined_members };
  if (!summary || !mayBeTeamRoom(summary)) return { ...summaryFacts, room: undefined, others: [] };
  const state = await lookups.state(roomId);
  return { ...summaryFacts, ...(await teamRoomOf(roomId, state, lookups.administratorsAmong)) };
}
