/**
 * What suspended and shadow-banned users may send to rooms. Suspended users are told; what shadow-banned users
 * send seems to be sent, and goes nowhere. Both as at the reference homeserver.
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

/** Suspended users may take back what they have sent, by either of the two ways to do so. */
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

/** Suspended users may leave, and set no other state. */
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

/** What a shadow-banned user's message or redaction seems to be. */
export const pretendToSend =
  (signingKey: SigningKey) =>
  (call: Call): JsonObject =>
    pretendedEvent(signingKey, call, call.params.txnId ?? '');

/** The same of state. Of memberships only an invitation is heard by someone new; the others are set. */
export const pretendToSetState =
  (signingKey: SigningKey, clock: Clock) =>
  (call: Call): JsonObject | undefined => {
    const { eventType, stateKey } = call.params;
    if (eventType === 'm.room.member' && stateMembership(call) !== 'invite') return undefined;
    return pretendedEvent(signingKey, call, `${eventType} ${stateKey} ${clock.now()}`);
  };

/** A shadow-banned user's room is made without the people whom it would bother. */
export function inviteNobody({ body }: Call): undefined {
  const request = body as CreateRoomRequest;
  delete request.invite;
  request.initial_state = request.initial_state?.filter(({ type }) => type !== 'm.room.member') ?? [];
}

/** A request that is sent again has to give the event that it gave before; only this server can name it. */
function pretendedEvent(signingKey: SigningKey, { requester, params }: Call, name: string): JsonObject {
  const text = JSON.stringify(['shadow', requester.userId, requester.deviceId, params.roomId, name]);
  return { event_id: `$${createHash('sha256').update(signingKey.sign(text)).digest('base64url')}` };
}

/**
 * Sends that have no reply yet. A client that is shown its own message before it has the reply takes it for somebody
 * else's: a sync that holds one waits for that reply.
 */

export type UnansweredSends = {
  /** Notes that a request with a transaction identifier has begun, and when its reply has left. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Waits until the reply to each of these transactions has left this process. */
  answered(requester: Requester, transactionIds: readonly string[]): Promise<void>;
};

export function createUnansweredSends(): UnansweredSends {
  const underWay = new Map<string, Promise<void>>();
  const keyOf = ({ userId, deviceId }: Requester, transactionId: string) =>
    `${userId} ${deviceId ?? ''} ${transactionId}`;
  return {
    note({ requester, params }, reply) {
      const key = keyOf(requester, (params as { txnId: string }).txnId);
      const { promise, resolve } = Promise.withResolvers<void>();
      underWay.set(key, promise);
      // Comes after the last byte was handed over, and when the client is gone.
      whenClosed(reply.raw, () => {
        if (underWay.get(key) === promise) underWay.delete(key);
        resolve();
      });
      reply.raw.once('finish', resolve);
    },
    async answered(requester, transactionIds) {
      for (const id of transactionIds) await underWay.get(keyOf(requester, id));
    },
  };
}
