/** Redacts events: one, or all of a user. */
import { type Static, Type } from 'typebox';
import { Dictionary, JsonObject } from '../../shared/api/common.ts';
import { EventId } from '../../shared/api/events.ts';
import { RedactUserRequest } from '../../shared/api/users.ts';
import { fits } from '../../shared/fits.ts';
import { isRefusal } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';

/**
 * Redacts an event as the signed-in admin, who needs the power level.
 *
 * @param transaction idempotency key
 */
export const redactEvent = (
  server: Server,
  { roomId, eventId }: { roomId: string; eventId: string },
  { transaction, reason }: { transaction: string; reason: string | undefined },
) =>
  server.sendChat(
    'PUT',
    EventId,
    `/client/v3/rooms/${encodeURIComponent(roomId)}/redact/${encodeURIComponent(eventId)}/${transaction}`,
    { body: body(JsonObject, reason === undefined ? {} : { reason }) },
  );

/**
 * Starts redacting a user's newest events in these rooms, or where the server chooses. Returns the task's ID.
 *
 * @param after, before the period in which they were sent, in milliseconds since the Unix epoch
 */
export async function redactAllOfUser(
  server: Server,
  userId: string,
  {
    rooms,
    limit,
    reason,
    after,
    before,
  }: {
    rooms: string[];
    limit: number;
    reason: string | undefined;
    after?: number | undefined;
    before?: number | undefined;
  },
): Promise<string> {
  const request = {
    rooms,
    limit,
    use_admin: false,
    ...(reason !== undefined && { reason }),
    ...(after !== undefined && { after_ts: after }),
    ...(before !== undefined && { before_ts: before }),
  };
  const reply = await server.send('POST', RedactId, `/v1/user/${encodeURIComponent(userId)}/redact`, {
    body: body(RedactUserRequest, request),
  });
  return reply.redact_id;
}

const RedactId = Type.Object({ redact_id: Type.String() });

const RedactionStatus = Type.Object({
  status: Type.String(),
  failed_redactions: Type.Optional(Dictionary(Type.String())),
  error: Type.Optional(Type.String()),
});

export const redactionStatus = (server: Server, id: string) =>
  server.get(RedactionStatus, `/v1/user/redact_status/${encodeURIComponent(id)}`);

// Edits of an event. Matrix specification, "Event replacements".

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
const maxPages = 10;

/**
 * Returns the IDs of an event's edits, which keep its content when it is redacted. Admins see the latest edit in any
 * room, earlier ones only as members. Call before redacting: redacted events no longer list their edits.
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
  for (let page = 0; page < maxPages; page++) {
    const path = `/client/v1/rooms/${room}/relations/${event}/m.replace?limit=100`;
    const reply: Static<typeof Edits> | undefined = await server
      .getChat(Edits, from === undefined ? path : `${path}&from=${encodeURIComponent(from)}`)
      .catch(unlessRefused);
    for (const { event_id, sender } of reply?.chunk ?? []) {
      // Replacements by other senders are invalid.
      if (sender === edited.sender) edits.add(event_id);
    }
    from = reply?.next_batch;
    if (from === undefined) break;
  }
  return [...edits];
}
