/** Rooms that a user is invited to or asks to be let into: as much of them as is told before. */
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Reader, serveEvents } from '../rooms/events/client-event.ts';
import { asStripped, type StrippedEvent, strippedTypes } from '../rooms/state/stripped-state.ts';
import { listStatePieces } from './room-events-store.ts';
import type { RoomUpdate } from './updated-rooms.ts';

export type StrippedRoom = {
  roomId: string;
  section: 'invite' | 'knock';
  /** Stripped state, with the member event itself at its end. */
  events: (StrippedEvent | ClientEvent)[];
};

/** These rooms as the user is told of them, without those that somebody who is ignored has invited to. */
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
  const told = updates.filter(({ roomId, section }) => {
    const event = own.get(roomId);
    return event?.pdu.content.membership === section && !ignored.has(event.pdu.sender);
  });
  const state = await listStatePieces(
    db,
    told.flatMap(({ roomId, section }) => {
      const sender = own.get(roomId)?.pdu.sender ?? '';
      const types = strippedTypes.map((type) => ({ roomId, type, stateKey: '' }));
      return section === 'invite' ? [...types, memberOf(roomId, sender)] : types;
    }),
  );
  const served = await serveEvents(
    db,
    told.flatMap(({ roomId }) => {
      const event = own.get(roomId);
      return event ? [{ event }] : [];
    }),
    { ...reader, upTo: 0 },
  );
  return told.map(({ roomId, section }, index) => ({
    roomId,
    section: section as 'invite' | 'knock',
    events: [
      ...state.filter((event) => event.pdu.room_id === roomId).map(asStripped),
      ...served.slice(index, index + 1),
    ],
  }));
}
