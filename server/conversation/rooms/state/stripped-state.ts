/** Stripped state, for invited and knocking users. Client-server API, "Stripped state". */
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { visibleContent } from '../events/client-event.ts';
import type { StoredEvent } from '../events/event-store.ts';
import { findStateAt, type StateKey } from './room-state-store.ts';

export type StrippedEvent = { type: string; state_key: string; sender: string; content: JsonObject };

/** All with an empty state key. */
export const strippedTypes = [
  'm.room.create',
  'm.room.join_rules',
  'm.room.canonical_alias',
  'm.room.avatar',
  'm.room.encryption',
  'm.room.name',
  'm.room.topic',
];

export const asStripped = (event: StoredEvent): StrippedEvent => ({
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
