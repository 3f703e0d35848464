/**
 * Whose devices an application service that encrypts has to know because of who came into encrypted rooms, and whose it
 * needn't follow any more because of who left. Matrix proposal 3202.
 */

import type { JsonObject } from '../../../shared/api/common.ts';
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { AppService } from '../../identity/accounts/app-services.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { serveEvents } from '../rooms/events/client-event.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { listAllMembers, listJoinedRooms } from '../rooms/membership/membership-store.ts';
import { strippedStateAt } from '../rooms/state/stripped-state.ts';
import {
  type About,
  listEncryptedOf,
  listSharingWithService,
  readChangedDevices,
  readKeysLeft,
} from './app-service-key-store.ts';
import {
  mostCharacters,
  type Range,
  readEphemeral,
  readEventsAfter,
  readMessagesToDevices,
} from './app-service-news-store.ts';
import { concernNow, concernThen } from './app-service-rooms.ts';

/** Somebody who has come to share a room with a user of the service, or no longer does. */
type Move = { roomId: string; userId: string; isIn: boolean };

/** Who is invited may be let read what was written before they come. */
const isIn = (content: unknown) =>
  ['join', 'invite'].includes(String((content as { membership?: unknown } | undefined)?.membership));

/** Who came and left: somebody, or with a user of the service, or with the encryption of a room, all who are there. */
async function movesIn(db: Database, service: AppService, events: readonly ClientEvent[]): Promise<Move[]> {
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
async function readMoves(
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

/** What one transaction tells an application service. */

/** How many events are looked at for one transaction, and how many changes of each kind. */
const lookedAt = 200;
/** In so many rooms of somebody a service is looked for, to be told that they are there. */
const roomsAtMost = 50;

type Context = { db: Database; clock: Clock };

type Transaction = {
  /** JSON; undefined where nothing concerns the service. */
  body: string | undefined;
  /** Up to where everything was looked at. */
  reached: StreamPositions;
  /** Users of the service whose membership others have changed: they may not be there yet. */
  invited: string[];
};

/** What has happened after some places that concerns a service, up to others or to the end of a piece. */
export async function nextTransaction(
  { db, clock }: Context,
  service: AppService,
  after: StreamPositions,
  upTo: StreamPositions,
): Promise<Transaction> {
  const told = await eventsFor(db, service, { after: after.events, upTo: upTo.events, limit: lookedAt });
  const { events, invited, isAll } = told;

  // What they are about comes first.
  const range = { after: after.changes, upTo: upTo.changes, limit: lookedAt };
  const { ephemeral, toDevice, changedDevices, changesPlace } = isAll
    ? await changesFor({ db, clock }, service, range)
    : { ...noChanges, changesPlace: after.changes };
  const reached = { events: told.reached, changes: changesPlace };
  const parts = [events, ephemeral, toDevice, changedDevices];
  if (parts.every(({ length }) => length === 0)) return { body: undefined, reached, invited: [] };
  const requester = { userId: service.senderUserId, deviceId: null, actsFor: undefined };
  const kept = events.filter(({ purged }) => !purged);
  const served = await serveEvents(
    db,
    kept.map((event) => ({ event })),
    { requester, now: clock.now(), upTo: undefined },
  );
  for (const [index, event] of kept.entries()) {
    const { type, state_key: target = '', content } = event.pdu;
    if (type !== 'm.room.member' || content.membership !== 'invite' || !service.isFor(target)) continue;
    // The service can't look: its user is not in the room yet.
    Object.assign(served[index]?.unsigned ?? {}, { invite_room_state: await strippedStateAt(db, event) });
  }
  const body = JSON.stringify({
    events: served,
    ...(ephemeral.length > 0 && { ephemeral, 'de.sorunome.msc2409.ephemeral': ephemeral }),
    ...(toDevice.length > 0 && { to_device: toDevice, 'de.sorunome.msc2409.to_device': toDevice }),
    ...(service.config.encrypts &&
      (await keysFor(db, service, {
        changedDevices,
        moves: await movesIn(db, service, served),
        userIds: toDevice.map(({ to_user_id }) => String(to_user_id)),
        roomIds: [...new Set(events.map(({ pdu }) => pdu.room_id))],
      }))),
  });
  return { body, reached, invited };
}

/** The first events of a range that concern a service, as many as fit, and up to where those are all. */
async function eventsFor(
  db: Database,
  service: AppService,
  range: Range,
): Promise<{ events: StoredEvent[]; invited: string[]; reached: number; isAll: boolean }> {
  const concerned = concernThen(db, service);
  const news = await readEventsAfter(db, range);
  const events: StoredEvent[] = [];
  const invited: string[] = [];
  let { after: reached } = range;
  let characters = 0;
  for (const event of news) {
    const { pdu } = event;
    if ((await concerned(event)) || service.isFor(pdu.sender)) {
      characters += JSON.stringify(pdu).length;
      if (events.length > 0 && characters > mostCharacters) return { events, invited, reached, isAll: false };
      events.push(event);
    }
    const target = pdu.type === 'm.room.member' ? pdu.state_key : undefined;
    if (target !== undefined && target !== pdu.sender && service.isFor(target)) invited.push(target);
    reached = event.streamOrdering;
  }
  const isAll = news.length < range.limit;
  return { events, invited, reached: isAll ? range.upTo : reached, isAll };
}

type KeyNews = { changedDevices: string[]; moves: Move[] } & Omit<About, 'appServiceId'>;

async function keysFor(
  db: Database,
  { id, senderUserId }: AppService,
  { changedDevices, moves, userIds, roomIds }: KeyNews,
): Promise<JsonObject> {
  const { met, left } = await readMoves(db, { appServiceId: id, moves });
  const changed = [...new Set([...changedDevices, ...met])].filter((userId) => !left.includes(userId));
  const about = { appServiceId: id, userIds: [senderUserId, ...userIds, ...changedDevices], roomIds };
  const { counts, unusedFallbackKeys } = await readKeysLeft(db, about);
  return {
    ...(changed.length + left.length > 0 && { 'org.matrix.msc3202.device_lists': { changed, left } }),
    // By both names that services know it by.
    'org.matrix.msc3202.device_one_time_keys_count': counts,
    'org.matrix.msc3202.device_one_time_key_counts': counts,
    'org.matrix.msc3202.device_unused_fallback_key_types': unusedFallbackKeys,
  };
}

type Changes = { ephemeral: JsonObject[]; toDevice: JsonObject[]; changedDevices: string[] };
const noChanges: Changes = { ephemeral: [], toDevice: [], changedDevices: [] };

/** What of receipts, typing, presence, messages to devices and devices concerns a service that asks for it. */
async function changesFor(
  { db, clock }: Context,
  service: AppService,
  range: Range,
): Promise<Changes & { changesPlace: number }> {
  const { receivesEphemeral, encrypts } = service.config;
  const isConcerned = concernNow(db, service);
  const appServiceId = service.id;
  const nothing = { events: [], reached: range.upTo };
  const found = receivesEphemeral ? await readEphemeral(db, { ...range, now: clock.now() }) : nothing;
  const messages = receivesEphemeral ? await readMessagesToDevices(db, { ...range, appServiceId }) : nothing;
  const devices = encrypts
    ? await readChangedDevices(db, { ...range, appServiceId })
    : { users: [], reached: range.upTo };
  const changesPlace = Math.min(found.reached, messages.reached, devices.reached);
  const ephemeral: JsonObject[] = [];
  for (const { place, roomId, userId = '', event } of found.events) {
    if (place > changesPlace) continue;
    const rooms = roomId === undefined ? await listJoinedRooms(db, userId) : [roomId];
    const isTold = service.isFor(userId) || (await isAnyOf(rooms.slice(0, roomsAtMost), isConcerned));
    if (isTold) ephemeral.push(event);
  }
  const toDevice = messages.events.filter(({ place }) => place <= changesPlace).map(({ event }) => event);
  // Whose devices have changed after that place is told once more: they only look again.
  return { ephemeral, toDevice, changedDevices: devices.users, changesPlace };
}

async function isAnyOf(rooms: string[], isConcerned: (roomId: string) => Promise<boolean>): Promise<boolean> {
  for (const roomId of rooms) {
    if (await isConcerned(roomId)) return true;
  }
  return false;
}
