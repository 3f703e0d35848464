import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { postEvent, postRedaction, putEvent, putRedaction } from '../../../../shared/api/events.ts';
import { invalidParameter } from '../../../platform/core/matrix-error.ts';
import type { Requester } from '../../../platform/core/requester.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { UserPolicy } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import { type RoomContext, sendEvent, timeOf } from './append-events.ts';
import type { SendTransaction } from './event-store.ts';
import { onlyOwnRedactions, pretendToSend, type UnansweredSends } from './restricted-senders.ts';

export const eventRoutes: Routes<RoomContext & { db: Database; unansweredSends: UnansweredSends }> = (
  app,
  context,
) => {
  const { db, unansweredSends } = context;
  const noteSend = async (request: FastifyRequest, reply: FastifyReply) =>
    unansweredSends.note(request, reply);
  const sends: UserPolicy = {
    access: 'user',
    limits: [{ of: 'message', by: 'user' }],
    suspended: onlyOwnRedactions(db),
    guests: 'may',
    shadowBanned: pretendToSend(context.signingKey),
  };
  const redacts: UserPolicy = { ...sends, guests: 'refused' };

  app.put(
    '/rooms/:roomId/send/:eventType/:txnId',
    { schema: putEvent, config: { policy: sends }, preHandler: noteSend },
    async ({ params, query, body, requester }) => ({
      event_id: await sendEvent(context, params.roomId, {
        type: params.eventType,
        sender: requester.userId,
        content: body,
        time: timeOf(requester, query),
        transaction: transactionOf(requester, params.txnId),
      }),
    }),
  );

  // Without a transaction ID: a retry sends the event twice.
  app.post(
    '/rooms/:roomId/send/:eventType',
    { schema: postEvent, config: { policy: sends } },
    async ({ params, query, body, requester }) => ({
      event_id: await sendEvent(context, params.roomId, {
        type: params.eventType,
        sender: requester.userId,
        content: body,
        time: timeOf(requester, query),
      }),
    }),
  );

  app.post(
    '/rooms/:roomId/redact/:eventId',
    { schema: postRedaction, config: { policy: redacts } },
    async ({ params, body = {}, requester }) => ({
      event_id: await redact(requester, params, body),
    }),
  );

  app.put(
    '/rooms/:roomId/redact/:eventId/:txnId',
    { schema: putRedaction, config: { policy: redacts }, preHandler: noteSend },
    async ({ params, body, requester }) => ({
      event_id: await redact(requester, params, body, transactionOf(requester, params.txnId)),
    }),
  );

  async function redact(
    { userId }: Requester,
    { roomId, eventId }: { roomId: string; eventId: string },
    body: JsonObject,
    transaction?: SendTransaction,
  ): Promise<string> {
    if (body.redacts !== undefined && body.redacts !== eventId) {
      throw invalidParameter(
        'Cannot provide a redacts value incoherent with the event_id of the URL parameter',
      );
    }
    return sendEvent(context, roomId, {
      type: 'm.room.redaction',
      sender: userId,
      content: { ...body, redacts: eventId },
      ...(transaction && { transaction }),
    });
  }
};

/** Transaction IDs are scoped to the device. */
const transactionOf = ({ deviceId }: Requester, transactionId: string) => ({
  deviceId: deviceId ?? '',
  transactionId,
});
