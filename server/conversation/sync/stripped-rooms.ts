/** Stripped state of rooms, for invited and knocking users. Client-server API, "Stripped state". */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Reader, serveEvents, visibleContent } from '../rooms/events/client-event.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { findStateAt, type StateKey } from '../rooms/state/room-state-store.ts';
import { listStateEntries } from './room-events-store.ts';
import type { RoomUpdate } from './updated-rooms.ts';

type StrippedEvent = { type: string; state_key: string; sender: string; content: JsonObject };

/** All with an empty state key. */
const strippedTypes = [
  'm.room.create',
  'm.room.join_rules',
  'm.room.canonical_alias',
  'm.room.avatar',
  'm.room.encryption',
  'm.room.name',
  'm.room.topic',
];

const asStripped = (event: StoredEvent): StrippedEvent => ({
  type: event.pdu.type,
  state_key: event.pdu.state_key ?? '',
  sender: event.pdu.sender,
  content: visibleContent(event),
});

/** Returns the stripped state as of an invitation, with the member event of its sender. */
export async function strippedStateAt(db: Database, invitation: StoredEvent): Promise<StrippedEvent[]> {
  const { room_id: roomId, sender } = invitation.pdu;
  const keys: StateKey[] = strippedTypes.map((type) => [type, '']);
  const state: StrippedEvent[] = [];
  for (const key of [...keys, ['m.room.member', sender] as const]) {
    const event = await findStateAt(db, roomId, key, invitation.streamOrdering);
    if (event) state.push(asStripped(event));
  }
  return state;
}

export type StrippedRoom = {
  roomId: string;
  section: 'invite' | 'knock';
  /** The last one is the user's own member event. */
  events: (StrippedEvent | ClientEvent)[];
};

/** Omits invitations by ignored users. */
export async function readStrippedRooms(
  db: Database,
  reader: Reader,
  updates: readonly RoomUpdate[],
  ignored: ReadonlySet<string>,
): Promise<StrippedRoom[]> {
  if (updates.length === 0) return [];
  const { userId } = reader.requester;
  const memberOf = (roomId: string, stateKey: string) => ({ roomId, type: 'm.room.member', stateKey });
  const own = new Map(
    (
      await listStateEntries(
        db,
        updates.map(({ roomId }) => memberOf(roomId, userId)),
      )
    ).map((event) => [event.pdu.room_id, event]),
  );
  const shown = updates.filter(({ roomId, section }) => {
    const event = own.get(roomId);
    return event?.pdu.content.membership === section && !ignored.has(event.pdu.sender);
  });
  const state = await listStateEntries(
    db,
    shown.flatMap(({ roomId, section }) => {
      const sender = own.get(roomId)?.pdu.sender ?? '';
      const types = strippedTypes.map((type) => ({ roomId, type, stateKey: '' }));
      return section === 'invite' ? [...types, memberOf(roomId, sender)] : types;
    }),
  );
  const served = await serveEvents(
    db,
    shown.flatMap(({ roomId }) => {
      const event = own.get(roomId);
      return event ? [{ event }] : [];
    }),
    { ...reader, upTo: 0 },
  );
  return shown.map(({ roomId, section }, index) => ({
    roomId,
    section: section as 'invite' | 'knock',
    events: [
      ...state.filter((event) => event.pdu.room_id === roomId).map(asStripped),
      ...served.slice(index, index + 1),
    ],
  }));
}
