/** Setting state on behalf of a client. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { appendEvent, appendEvents, type EventDraft, type RoomContext } from '../events/append-events.ts';
import { changeMembership } from '../membership/change-membership.ts';
import { listJoinedGuests } from '../membership/membership-store.ts';

type SendContext = RoomContext & { db: Database };

/** Sets a state entry and returns the event ID. @throws MatrixError see `changeMembership` and `stageEvent` */
export async function sendState(
  context: SendContext,
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
  const endsGuestAccess =
    type === 'm.room.guest_access' && stateKey === '' && content.guest_access !== 'can_join';
  if (endsGuestAccess) await removeGuests(context, roomId);
  return eventId;
}

const isMembership = (content: JsonObject): content is JsonObject & { membership: string } =>
  typeof content.membership === 'string';

const guestsAtOnce = 100;

/** Makes guests leave a room that no longer allows them. Client-server API, "Guest Access", "Server behaviour". */
async function removeGuests(context: SendContext, roomId: string): Promise<void> {
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
