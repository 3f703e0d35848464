/** The context of search results. Client-server API, "Server Side Search". */
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type EventReader, serveEvents } from '../rooms/events/client-event.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { listCurrentState } from '../rooms/state/current-state-store.ts';
import { visibleAmong } from './search.ts';
import { listEventsBeside, listMembersAtPositions } from './surroundings-store.ts';

export type Surroundings = {
  before: ClientEvent[];
  after: ClientEvent[];
  /** Positions before the first event and after the last. */
  start: number;
  end: number;
  /** Member events of the senders, if requested. */
  members: StoredEvent[];
};

type ContextOptions = { beforeLimit: number; afterLimit: number; members: boolean };

/** Reads the context of all results at once. @param rooms joined rooms, with the stream position of the join */
export async function surroundingsOf(
  db: Database,
  reader: EventReader,
  found: readonly StoredEvent[],
  rooms: ReadonlyMap<string, number>,
  { beforeLimit, afterLimit, members }: ContextOptions,
): Promise<Surroundings[]> {
  const positions = found.map(({ pdu, streamOrdering }) => ({
    roomId: pdu.room_id,
    position: streamOrdering,
  }));
  const before = await listEventsBeside(db, positions, { direction: 'b', limit: beforeLimit });
  const after = await listEventsBeside(db, positions, { direction: 'f', limit: afterLimit });
  // Contexts of neighboring results overlap.
  const distinct = new Map([...before, ...after].flat().map((event) => [event.eventId, event]));
  const visible = await visibleAmong(db, reader.requester.userId, [...distinct.values()], rooms);
  const served = await serveEvents(db, visible, reader);
  const shown = new Map(visible.map(({ event }, index) => [event.eventId, served[index]]));
  const isShown = ({ eventId }: StoredEvent) => shown.has(eventId);
  const asServed = ({ eventId }: StoredEvent) => shown.get(eventId) ?? [];

  const around = found.map(({ streamOrdering: position }, index) => {
    const seenBefore = before[index]?.filter(isShown) ?? [];
    const seenAfter = after[index]?.filter(isShown) ?? [];
    return {
      before: seenBefore.flatMap(asServed),
      after: seenAfter.flatMap(asServed),
      start: (seenBefore.at(-1)?.streamOrdering ?? position) - 1,
      end: seenAfter.at(-1)?.streamOrdering ?? position,
    };
  });
  const membersOf = members ? await findSenders(db, found, around) : [];
  return around.map((each, index) => ({ ...each, members: membersOf[index] ?? [] }));
}

/** Returns the member events of the senders, as of the end of each context. */
async function findSenders(
  db: Database,
  found: readonly StoredEvent[],
  around: readonly Omit<Surroundings, 'members'>[],
): Promise<StoredEvent[][]> {
  const queries = found.flatMap(({ pdu }, index) => {
    const { before = [], after = [], end = 0 } = around[index] ?? {};
    const senders = new Set([pdu.sender, ...[...before, ...after].map(({ sender }) => sender)]);
    return [...senders].map((userId) => ({ index, roomId: pdu.room_id, userId, position: end }));
  });
  const lists = found.map((): StoredEvent[] => []);
  const members = await listMembersAtPositions(db, queries);
  for (const { index, member } of members) lists[queries[index]?.index ?? -1]?.push(member);
  for (const list of lists) list.sort((one, other) => one.streamOrdering - other.streamOrdering);
  return lists;
}

/** Returns the current state of rooms with results. */
export async function statesOf(
  db: Database,
  reader: EventReader,
  roomIds: ReadonlySet<string>,
): Promise<Record<string, ClientEvent[]>> {
  const state = await listCurrentState(db, [...roomIds], { members: true });
  state.sort((one, other) => one.streamOrdering - other.streamOrdering);
  const served = await serveEvents(
    db,
    state.map((event) => ({ event })),
    reader,
  );
  const byRoom = Map.groupBy(served, ({ room_id }) => room_id);
  return Object.fromEntries([...roomIds].map((roomId) => [roomId, byRoom.get(roomId) ?? []]));
}
