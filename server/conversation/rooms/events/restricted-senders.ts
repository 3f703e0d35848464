/**
 * Sending by suspended users, which is refused, and by shadow-banned users, which only seems to succeed. Like Synapse.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { CreateRoomRequest } from '../../../../shared/api/rooms.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Requester } from '../../../platform/core/requester.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { type Call, refusedWhileSuspended, type SuspendedRule } from '../../../platform/http/policy.ts';
import { whenClosed } from '../../../platform/http/send-json.ts';
import { stateMembership } from '../membership/membership.ts';
import type { SigningKey } from '../signing-key.ts';
import { findEvent } from './event-store.ts';

/** Suspended users may redact their own events, by either endpoint. */
export const onlyOwnRedactions =
  (db: Database): SuspendedRule =>
  async ({ requester, params: { eventId, eventType }, body }) => {
    if (eventType !== undefined && eventType !== 'm.room.redaction') {
      return refusedWhileSuspended('Sending messages');
    }
    const redacted = await findEvent(db, eventId ?? String((body as JsonObject | null)?.redacts));
    if (redacted?.pdu.sender === requester.userId) return undefined;
    return 'You can only redact your own events while account is suspended.';
  };

/** Suspended users may leave rooms, but set no other state. */
export const onlyLeaving: SuspendedRule = (call) => {
  const membership = stateMembership(call);
  if (membership === undefined) return refusedWhileSuspended('Sending messages');
  if (membership === 'leave' && call.params.stateKey === call.requester.userId) return undefined;
  return refusedWhileSuspended(memberships.get(membership) ?? 'Changing membership');
};

const memberships: ReadonlyMap<string, string> = new Map([
  ['join', 'Joining rooms'],
  ['knock', 'Knocking on rooms'],
  ['invite', 'Sending invites'],
]);

/** Replies to a message or redaction of a shadow-banned user. */
export const pretendToSend =
  (signingKey: SigningKey) =>
  (call: Call): JsonObject =>
    pretendedEvent(signingKey, call, call.params.txnId ?? '');

/** Replies to state of a shadow-banned user. Memberships other than invitations reach no one new and are really set. */
export const pretendToSetState =
  (signingKey: SigningKey, clock: Clock) =>
  (call: Call): JsonObject | undefined => {
    const { eventType, stateKey } = call.params;
    if (eventType === 'm.room.member' && stateMembership(call) !== 'invite') return undefined;
    return pretendedEvent(signingKey, call, `${eventType} ${stateKey} ${clock.now()}`);
  };

/** Removes invitations from a shadow-banned user's new room. */
export function inviteNobody({ body }: Call): undefined {
  const request = body as CreateRoomRequest;
  delete request.invite;
  request.initial_state = request.initial_state?.filter(({ type }) => type !== 'm.room.member') ?? [];
}

/** A retried request has to return the same event ID, which no one else can predict. */
function pretendedEvent(signingKey: SigningKey, { requester, params }: Call, name: string): JsonObject {
  const text = JSON.stringify(['shadow', requester.userId, requester.deviceId, params.roomId, name]);
  return { event_id: `$${createHash('sha256').update(signingKey.sign(text)).digest('base64url')}` };
}

/**
 * Sends without a reply yet. A client that syncs its own message before the reply shows it twice, so such a sync waits for
 * the reply.
 */
export type UnansweredSends = {
  /** Registers a request with a transaction ID until its reply is sent. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Resolves when the replies to these transactions are sent. */
  answered(requester: Requester, transactionIds: readonly string[]): Promise<void>;
};

export function createUnansweredSends(): UnansweredSends {
  const pending = new Map<string, Promise<void>>();
  const keyOf = ({ userId, deviceId }: Requester, transactionId: string) =>
    `${userId} ${deviceId ?? ''} ${transactionId}`;
  return {
    note({ requester, params }, reply) {
      const key = keyOf(requester, (params as { txnId: string }).txnId);
      const { promise, resolve } = Promise.withResolvers<void>();
      pending.set(key, promise);
      // Also called when the client disconnects.
      whenClosed(reply.raw, () => {
        if (pending.get(key) === promise) pending.delete(key);
        resolve();
      });
      reply.raw.once('finish', resolve);
    },
    async answered(requester, transactionIds) {
      for (const id of transactionIds) await pending.get(keyOf(requester, id));
    },
  };
}
