/** What edits an event. Matrix specification, "Event replacements". */
import { type Static, Type } from 'typebox';
import { JsonObject } from '../../shared/api/common.ts';
import { fits } from '../../shared/fits.ts';
import { isRefusal } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';

const EventNow = Type.Object({ event: JsonObject });
const Edited = Type.Object({
  sender: Type.String(),
  unsigned: Type.Object({
    'm.relations': Type.Object({ 'm.replace': Type.Object({ event_id: Type.String() }) }),
  }),
});
const Edits = Type.Object({
  chunk: Type.Array(Type.Object({ event_id: Type.String(), sender: Type.String() })),
  next_batch: Type.Optional(Type.String()),
});
const mostPages = 10;

/**
 * The events that edit one, which say what it says now, and which servers keep when it is redacted. The latest is known
 * to administrators anywhere, those before it to who is in the room. Nothing tells of them any more once it is redacted.
 */
export async function editsOf(
  server: Server,
  { roomId, eventId }: { roomId: string; eventId: string },
): Promise<string[]> {
  const [room, event] = [encodeURIComponent(roomId), encodeURIComponent(eventId)];
  const unlessRefused = (error: unknown) => {
    if (!isRefusal(error)) throw error;
    return undefined;
  };
  const now = await server.get(EventNow, `/v1/rooms/${room}/context/${event}?limit=0`).catch(unlessRefused);
  const edited = now?.event;
  if (!fits(Edited, edited)) return [];
  const edits = new Set([edited.unsigned['m.relations']['m.replace'].event_id]);
  let from: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const path = `/client/v1/rooms/${room}/relations/${event}/m.replace?limit=100`;
    const reply: Static<typeof Edits> | undefined = await server
      .getChat(Edits, from === undefined ? path : `${path}&from=${encodeURIComponent(from)}`)
      .catch(unlessRefused);
    for (const { event_id, sender } of reply?.chunk ?? []) {
      // What others send as an edit is none.
      if (sender === edited.sender) edits.add(event_id);
    }
    from = reply?.next_batch;
    if (from === undefined) break;
  }
  return [...edits];
}
