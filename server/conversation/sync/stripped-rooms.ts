/** Stripped state of rooms with a pending invitation or knock. */
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Reader, serveEvents } from '../rooms/events/client-event.ts';
import { asStripped, type StrippedEvent, strippedTypes } from '../rooms/state/stripped-state.ts';
import { listStatePieces } from './room-events-store.ts';
import type { RoomUpdate } from './updated-rooms.ts';

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
      await listStatePieces(
        db,
        updates.map(({ roomId }) => memberOf(roomId, userId)),
      )
    ).map((event) => [event.pdu.room_id, event]),
  );
  const shown = updates.filter(({ roomId, section }) => {
    const event = own.get(roomId);
    return event?.pdu.content.membership === section && !ignored.has(event.pdu.sender);
  });
  const state = await listStatePieces(
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
