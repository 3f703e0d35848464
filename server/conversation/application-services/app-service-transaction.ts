/** Builds the transactions that application services get. Application service API, "Pushing events"; MSC3202. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { AppService } from '../../identity/accounts/app-services.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { serveEvents } from '../rooms/events/client-event.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { listJoinedMembers, listJoinedRooms } from '../rooms/membership/membership-store.ts';
import { strippedStateAt } from '../sync/stripped-rooms.ts';
import {
  type About,
  listEncryptedOf,
  listSharingWithService,
  readChangedDevices,
  readKeysLeft,
} from './app-service-key-store.ts';
import {
  maxCharacters,
  type Range,
  readEphemeral,
  readEventsAfter,
  readMessagesToDevices,
} from './app-service-news-store.ts';
import { concernNow, concernThen } from './app-service-rooms.ts';

/** A user who starts or stops sharing a room with a user of the service. */
type MemberChange = { roomId: string; userId: string; isIn: boolean };

/** Invited users count: history visibility may let them read earlier messages. */
const isIn = (content: unknown) =>
  ['join', 'invite'].includes(String((content as { membership?: unknown } | undefined)?.membership));

/** Joins and leaves of the service's users, and enabling encryption, affect all members of the room. */
async function movesIn(
  db: Database,
  service: AppService,
  events: readonly ClientEvent[],
): Promise<MemberChange[]> {
  const moves: MemberChange[] = [];
  for (const { type, room_id: roomId, state_key: userId, content, unsigned } of events) {
    if (userId === undefined || !['m.room.member', 'm.room.encryption'].includes(type)) continue;
    const isMember = type === 'm.room.member';
    const move = { roomId, isIn: !isMember || isIn(content) };
    if (isMember && move.isIn === isIn(unsigned.prev_content)) continue;
    const whom = isMember && !service.matchesUser(userId) ? [userId] : await listJoinedMembers(db, roomId);
    moves.push(
      ...whom.filter((each) => !service.matchesUser(each)).map((each) => ({ ...move, userId: each })),
    );
  }
  return moves;
}

/** Returns the users who now share an encrypted room with the service, and those who no longer do. */
async function readMoves(
  db: Database,
  { appServiceId, moves }: { appServiceId: string; moves: readonly MemberChange[] },
): Promise<{ met: string[]; left: string[] }> {
  if (moves.length === 0) return { met: [], left: [] };
  const encrypted = await listEncryptedOf(db, new Set(moves.map(({ roomId }) => roomId)));
  const moved = moves.filter(({ roomId }) => encrypted.has(roomId));
  if (moved.length === 0) return { met: [], left: [] };
  const userIds = new Set(moved.map(({ userId }) => userId));
  const sharing = await listSharingWithService(db, { appServiceId, userIds });
  const those = (which: (move: MemberChange) => boolean) => [
    ...new Set(moved.filter(which).map(({ userId }) => userId)),
  ];
  return {
    met: those((move) => move.isIn && sharing.has(move.userId)),
    left: those((move) => !move.isIn && !sharing.has(move.userId)),
  };
}

/** Events that are examined for a transaction, and changes of each kind. */
const examined = 200;
/** A user's presence concerns a service if one of this many rooms does. */
const maxRooms = 50;

type Context = { db: Database; clock: Clock };

type Transaction = {
  /** JSON; undefined if nothing concerns the service. */
  body: string | undefined;
  /** Positions up to which everything was examined. */
  reached: StreamPositions;
  /** Users of the service whose membership others changed; the service may have to create them. */
  invited: string[];
};

/** Builds the next transaction from the changes between two positions. */
export async function nextTransaction(
  { db, clock }: Context,
  service: AppService,
  after: StreamPositions,
  upTo: StreamPositions,
): Promise<Transaction> {
  const page = await eventsFor(db, service, { after: after.events, upTo: upTo.events, limit: examined });
  const { events, invited, isAll } = page;

  // Changes refer to events, so those are sent first.
  const range = { after: after.changes, upTo: upTo.changes, limit: examined };
  const { ephemeral, toDevice, changedDevices, changesPosition } = isAll
    ? await changesFor({ db, clock }, service, range)
    : { ...noChanges, changesPosition: after.changes };
  const reached = { events: page.reached, changes: changesPosition };
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
    if (type !== 'm.room.member' || content.membership !== 'invite' || !service.matchesUser(target)) continue;
    // The service can't read the state, because its user isn't in the room yet.
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

/** Returns the first events of a range that concern the service, as many as fit, and the position reached. */
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
    if ((await concerned(event)) || service.matchesUser(pdu.sender)) {
      characters += JSON.stringify(pdu).length;
      if (events.length > 0 && characters > maxCharacters) return { events, invited, reached, isAll: false };
      events.push(event);
    }
    const target = pdu.type === 'm.room.member' ? pdu.state_key : undefined;
    if (target !== undefined && target !== pdu.sender && service.matchesUser(target)) invited.push(target);
    reached = event.streamOrdering;
  }
  const isAll = news.length < range.limit;
  return { events, invited, reached: isAll ? range.upTo : reached, isAll };
}

type KeyNews = { changedDevices: string[]; moves: MemberChange[] } & Omit<About, 'appServiceId'>;

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
    // Under both names that are in use.
    'org.matrix.msc3202.device_one_time_keys_count': counts,
    'org.matrix.msc3202.device_one_time_key_counts': counts,
    'org.matrix.msc3202.device_unused_fallback_key_types': unusedFallbackKeys,
  };
}

type Changes = { ephemeral: JsonObject[]; toDevice: JsonObject[]; changedDevices: string[] };
const noChanges: Changes = { ephemeral: [], toDevice: [], changedDevices: [] };

/** Returns the changes that concern the service, of the kinds that it's configured for. */
async function changesFor(
  { db, clock }: Context,
  service: AppService,
  range: Range,
): Promise<Changes & { changesPosition: number }> {
  const { receivesEphemeral, encrypts } = service.config;
  const isConcerned = concernNow(db, service);
  const appServiceId = service.id;
  const nothing = { events: [], reached: range.upTo };
  const found = receivesEphemeral ? await readEphemeral(db, { ...range, now: clock.now() }) : nothing;
  const messages = receivesEphemeral ? await readMessagesToDevices(db, { ...range, appServiceId }) : nothing;
  const devices = encrypts
    ? await readChangedDevices(db, { ...range, appServiceId })
    : { users: [], reached: range.upTo };
  const changesPosition = Math.min(found.reached, messages.reached, devices.reached);
  const ephemeral: JsonObject[] = [];
  for (const { position, roomId, userId = '', event } of found.events) {
    if (position > changesPosition) continue;
    const rooms = roomId === undefined ? await listJoinedRooms(db, userId) : [roomId];
    const isRelevant = service.matchesUser(userId) || (await isAnyOf(rooms.slice(0, maxRooms), isConcerned));
    if (isRelevant) ephemeral.push(event);
  }
  const toDevice = messages.events
    .filter(({ position }) => position <= changesPosition)
    .map(({ event }) => event);
  // Device changes beyond that position are sent again, which is harmless.
  return { ephemeral, toDevice, changedDevices: devices.users, changesPosition };
}

async function isAnyOf(rooms: string[], isConcerned: (roomId: string) => Promise<boolean>): Promise<boolean> {
  for (const roomId of rooms) {
    if (await isConcerned(roomId)) return true;
  }
  return false;
}
