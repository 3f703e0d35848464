/** Sending what a client asks to send: messages, state, redactions. */
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../shared/api/common.ts';
import { invalidParameter, MatrixError } from '../http/matrix-error.ts';
import { findRoomByAlias } from '../storage/room-aliases.ts';
import type { Database, Schema } from '../storage/schema.ts';
import { appendEvent, type EventDraft, type RoomServices } from './append-events.ts';
import { isRoomAlias } from './identifiers.ts';
import { changeMembership } from './membership.ts';

type Sending = RoomServices & { db: Kysely<Schema> };

/** Appends one event in a transaction of its own and gives its identifier. @throws MatrixError */
export async function sendEvent(services: Sending, roomId: string, draft: EventDraft): Promise<string> {
  return services.db
    .transaction()
    .execute((transaction) => appendEvent(transaction, services, roomId, draft));
}

/** Sets a piece of a room's state and gives the event that did. @throws MatrixError */
export async function sendState(
  services: Sending,
  roomId: string,
  draft: EventDraft & { stateKey: string },
): Promise<string> {
  return services.db.transaction().execute(async (transaction) => {
    const { type, sender, stateKey, content } = draft;
    if (type === 'm.room.member' && isMembership(content)) {
      return changeMembership(transaction, services, { roomId, sender, target: stateKey, content });
    }
    if (type === 'm.room.canonical_alias') await requireAliases(transaction, roomId, content);
    return appendEvent(transaction, services, roomId, draft);
  });
}

const isMembership = (content: JsonObject): content is JsonObject & { membership: string } =>
  typeof content.membership === 'string';

/** A room can call itself only what leads to it. */
async function requireAliases(
  db: Database,
  roomId: string,
  { alias, alt_aliases }: JsonObject,
): Promise<void> {
  const aliases = [alias ?? [], alt_aliases ?? []].flat();
  if (aliases.length > 100) throw invalidParameter('Too many aliases');
  for (const each of aliases) {
    if (typeof each !== 'string' || !isRoomAlias(each)) {
      throw invalidParameter("Expected RoomAlias string to start with '#'");
    }
    if ((await findRoomByAlias(db, each)) !== roomId) {
      throw new MatrixError(400, 'M_BAD_ALIAS', `Room alias ${each} does not point to the room`);
    }
  }
}
