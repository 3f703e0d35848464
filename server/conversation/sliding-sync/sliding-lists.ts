/** Lists of rooms for sliding sync: filtered, most recently active first. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { SlidingFilters, SlidingSyncBody } from '../../../shared/api/sliding-sync.ts';
import { readAccountDataSince } from '../../identity/account-data/account-data-store.ts';
import { mapYielding } from '../../platform/concurrency/yield.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { listCurrentState } from '../rooms/state/current-state-store.ts';
import type { RequiredState } from './required-state.ts';
import type { OwnRoom } from './sliding-own-rooms.ts';

export type RequestedRoom = {
  room: OwnRoom;
  timelineLimit: number;
  required: RequiredState;
  /** Names of the lists with the room in a requested range. */
  lists: ReadonlySet<string>;
  isSubscribed: boolean;
};

export type ShownList = { count: number; ops: { op: 'SYNC'; range: number[]; room_ids: string[] }[] };

export type Lists = {
  lists: Record<string, ShownList>;
  /** By room ID: rooms in requested ranges, and subscriptions. */
  requested: Map<string, RequestedRoom>;
  directRooms: ReadonlySet<string>;
};

const maximumTimeline = 500;

export async function createLists(
  db: Database,
  userId: string,
  body: SlidingSyncBody,
  rooms: ReadonlyMap<string, OwnRoom>,
  upTo: StreamPositions,
): Promise<Lists> {
  const data = await readFilterData(db, userId, upTo);
  const directRooms = directRoomsIn(data);
  const sorted = [...rooms.values()].sort((one, other) => other.bumpStamp - one.bumpStamp);
  const requestsOf = new Map<OwnRoom, Set<Request>>();
  const ask = (room: OwnRoom, request: Request) => {
    const requests = requestsOf.get(room) ?? new Set();
    requestsOf.set(room, requests.add(request));
  };
  const lists: Record<string, ShownList> = Object.create(null);
  for (const [index, [name, list]] of Object.entries(body.lists ?? {}).entries()) {
    const test = await filterTest(db, list.filters ?? {}, directRooms, data);
    const found = sorted.filter(test);
    const request = { ...list, index, list: name };
    const ops: ShownList['ops'] = [];
    for (const [first, last] of list.ranges ?? []) {
      const inRange = found.slice(first, last + 1);
      for (const room of inRange) ask(room, request);
      ops.push({ op: 'SYNC', range: [first, last], room_ids: inRange.map(({ roomId }) => roomId) });
    }
    lists[name] = { count: found.length, ops };
  }
  for (const [roomId, subscription] of Object.entries(body.room_subscriptions ?? {})) {
    const room = rooms.get(roomId);
    if (room) ask(room, { ...subscription, index: roomId, list: undefined });
  }
  return { lists, requested: await combine(requestsOf), directRooms };
}

/** A list or a subscription. */
type Request = {
  timeline_limit: number;
  required_state: RequiredState;
  /** Of the list, or the room ID of a subscription. */
  index: number | string;
  list: string | undefined;
};

/** Combines the requests for each room. */
async function combine(
  requestsOf: ReadonlyMap<OwnRoom, ReadonlySet<Request>>,
): Promise<Map<string, RequestedRoom>> {
  const requested = new Map<string, RequestedRoom>();
  /** Shared by rooms in the same lists. */
  const together = new Map<string, RequiredState>();
  for (const [room, requests] of requestsOf) {
    const all = [...requests];
    const key = all.map(({ index }) => index).join(' ');
    const required = together.get(key) ?? withoutRepeats(all.flatMap(({ required_state }) => required_state));
    together.set(key, required);
    requested.set(room.roomId, {
      room,
      timelineLimit: Math.min(maximumTimeline, Math.max(...all.map(({ timeline_limit }) => timeline_limit))),
      required,
      lists: new Set(all.flatMap(({ list }) => list ?? [])),
      isSubscribed: all.some(({ list }) => list === undefined),
    });
  }
  return requested;
}

const withoutRepeats = (pairs: RequiredState): RequiredState => [
  ...new Map(pairs.map((pair) => [pair.join('\0'), pair])).values(),
];

/** Account data that filters use. */
type FilterData = { roomId: string | undefined; type: string; content: JsonObject };

async function readFilterData(db: Database, userId: string, upTo: StreamPositions): Promise<FilterData[]> {
  const data = await readAccountDataSince(
    db,
    { userId, after: undefined, upTo: upTo.changes },
    ({ roomId, type }) => type === (roomId === undefined ? 'm.direct' : 'm.tag'),
  );
  return mapYielding(data, ({ content, ...key }) => ({ ...key, content: content.toJSON() as JsonObject }));
}

function directRoomsIn(data: readonly FilterData[]): Set<string> {
  const direct = data.find(({ roomId, type }) => roomId === undefined && type === 'm.direct')?.content ?? {};
  return new Set(
    Object.values(direct).flatMap((rooms) =>
      Array.isArray(rooms) ? rooms.filter((room) => typeof room === 'string') : [],
    ),
  );
}

async function filterTest(
  db: Database,
  filters: SlidingFilters,
  directRooms: ReadonlySet<string>,
  data: readonly FilterData[],
): Promise<(room: OwnRoom) => boolean> {
  const tests: ((room: OwnRoom) => boolean)[] = [];
  const {
    is_dm,
    is_encrypted,
    is_invite,
    room_types,
    not_room_types,
    room_name_like,
    spaces,
    tags,
    not_tags,
  } = filters;
  if (is_dm !== undefined) tests.push(({ roomId }) => directRooms.has(roomId) === is_dm);
  if (is_encrypted !== undefined) tests.push(({ encryption }) => (encryption !== null) === is_encrypted);
  if (is_invite !== undefined) tests.push(({ membership }) => (membership === 'invite') === is_invite);
  if (room_types) tests.push(({ roomType }) => room_types.includes(roomType));
  if (not_room_types) tests.push(({ roomType }) => !not_room_types.includes(roomType));
  if (room_name_like !== undefined) {
    const part = room_name_like.toLowerCase();
    tests.push(({ name }) => name?.toLowerCase().includes(part) ?? false);
  }
  if (spaces) {
    const children = await childrenOf(db, spaces);
    tests.push(({ roomId }) => children.has(roomId));
  }
  if (tags) tests.push(taggedWith(data, tags));
  if (not_tags) {
    const isTagged = taggedWith(data, not_tags);
    tests.push((room) => !isTagged(room));
  }
  return (room) => tests.every((test) => test(room));
}

async function childrenOf(db: Database, spaces: readonly string[]): Promise<Set<string>> {
  const state = await listCurrentState(db, spaces, { members: false });
  return new Set(
    state.flatMap(({ pdu: { type, state_key, content } }) =>
      type === 'm.space.child' && Array.isArray(content.via) ? [state_key ?? ''] : [],
    ),
  );
}

function taggedWith(data: readonly FilterData[], requested: readonly string[]): (room: OwnRoom) => boolean {
  const tagged = new Set(
    data.flatMap(({ roomId, type, content }) => {
      const tags = type === 'm.tag' && typeof content.tags === 'object' ? (content.tags ?? {}) : {};
      return roomId !== undefined && requested.some((tag) => Object.hasOwn(tags, tag)) ? [roomId] : [];
    }),
  );
  return ({ roomId }) => tagged.has(roomId);
}
