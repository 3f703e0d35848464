/** Sending what a client asks to send: messages, state, redactions. */

import type { Kysely } from 'kysely';
import type { JsonObject } from '../../shared/api/common.ts';
import type { Schema } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { appendEvent, type EventDraft, type RoomContext } from './append-events.ts';
import { changeMembership } from './change-membership.ts';

type Sending = RoomContext & { db: Kysely<Schema> };

/** Appends one event in a transaction of its own and gives its identifier. @throws MatrixError */
export async function sendEvent(context: Sending, roomId: string, draft: EventDraft): Promise<string> {
  return inTransaction(context.db, (tx) => appendEvent(tx, context, roomId, draft));
}

/** Sets a piece of a room's state and gives the event that did. @throws MatrixError */
export async function sendState(
  context: Sending,
  roomId: string,
  draft: EventDraft & { stateKey: string },
): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    const { type, sender, stateKey, content } = draft;
    if (type === 'm.room.member' && isMembership(content)) {
      return changeMembership(tx, context, { roomId, sender, target: stateKey, content });
    }
    return appendEvent(tx, context, roomId, draft);
  });
}

const isMembership = (content: JsonObject): content is JsonObject & { membership: string } =>
  typeof content.membership === 'string';
