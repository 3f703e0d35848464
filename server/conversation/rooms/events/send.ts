/** Sending what a client asks to send: messages, state, redactions. */
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { Requester } from '../../../platform/core/requester.ts';
import type { Schema } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { changeMembership } from '../membership/change-membership.ts';
import { listJoinedGuests } from '../membership/membership-store.ts';
import { appendEvent, appendEvents, type EventDraft, type RoomContext } from './append-events.ts';

type Sending = RoomContext & { db: Kysely<Schema> };

/** When an event was sent, as application services may say it of theirs. */
export const timeSaid = ({ appServiceId }: Requester, { ts }: { ts?: number }): number | undefined =>
  appServiceId === undefined ? undefined : ts;

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
  const { type, sender, stateKey, content, time } = draft;
  const eventId = await inTransaction(context.db, async (tx) => {
    if (type === 'm.room.member' && isMembership(content)) {
      return changeMembership(tx, context, { roomId, sender, target: stateKey, content, time });
    }
    return appendEvent(tx, context, roomId, draft);
  });
  const closesDoor = type === 'm.room.guest_access' && stateKey === '' && content.guest_access !== 'can_join';
  if (closesDoor) await removeGuests(context, roomId);
  return eventId;
}

const guestsAtOnce = 100;

/** Has guests leave a room that is not for them any more. Matrix specification, "Guest Access", "Server behaviour". */
async function removeGuests(context: Sending, roomId: string): Promise<void> {
  for (let left = guestsAtOnce; left === guestsAtOnce; ) {
    left = await inTransaction(context.db, async (tx) => {
      const guests = await listJoinedGuests(tx, roomId, guestsAtOnce);
      const drafts = guests.map((userId) => ({
        ...{ type: 'm.room.member', sender: userId, stateKey: userId },
        content: { kind: 'guest', membership: 'leave' },
      }));
      await appendEvents(tx, context, roomId, drafts);
      return guests.length;
    });
  }
}

const isMembership = (content: JsonObject): content is JsonObject & { membership: string } =>
  typeof content.membership === 'string';
