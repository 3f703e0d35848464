/** Taking back what was said: one event, or everything of a user. */
import { Type } from 'typebox';
import { Dictionary, JsonObject } from '../../shared/api/common.ts';
import { EventId } from '../../shared/api/events.ts';
import { RedactUserRequest } from '../../shared/api/users.ts';
import { body, type Server } from '../transport/server.ts';

/**
 * Redacts an event in the name of whoever is signed in, who needs the power for it in the room.
 *
 * @param transaction names the request: sent twice, it is done once
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

/** Starts redacting a user's newest events in these rooms, or where the server chooses. Returns the task's ID. */
export async function redactEverythingOf(
  server: Server,
  userId: string,
  { rooms, limit, reason }: { rooms: string[]; limit: number; reason: string | undefined },
): Promise<string> {
  const request = { rooms, limit, use_admin: false, ...(reason !== undefined && { reason }) };
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

/** How far that is. */
export const redactionStatus = (server: Server, id: string) =>
  server.get(RedactionStatus, `/v1/user/redact_status/${encodeURIComponent(id)}`);
