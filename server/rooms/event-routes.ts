import type { FastifyReply, FastifyRequest } from 'fastify';
import { redactEvent, sendEvent } from '../../shared/api/events.ts';
import { invalidParameter } from '../core/matrix-error.ts';
import type { Requester } from '../core/requester.ts';
import type { Database } from '../database/schema.ts';
import type { UserPolicy } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { RoomContext } from './append-events.ts';
import { onlyOwnRedactions, pretendToSend } from './restricted-senders.ts';
import * as sending from './send.ts';
import type { UnansweredSends } from './unanswered-sends.ts';

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
    shadowBanned: pretendToSend(context.signingKey),
  };

  app.put(
    '/rooms/:roomId/send/:eventType/:txnId',
    { schema: sendEvent, config: { policy: sends }, preHandler: noteSend },
    async ({ params, body, requester }) => ({
      event_id: await sending.sendEvent(context, params.roomId, {
        type: params.eventType,
        sender: requester.userId,
        content: body,
        transaction: transactionOf(requester, params.txnId),
      }),
    }),
  );

  app.put(
    '/rooms/:roomId/redact/:eventId/:txnId',
    { schema: redactEvent, config: { policy: sends }, preHandler: noteSend },
    async ({ params, body, requester }) => {
      if (body.redacts !== undefined && body.redacts !== params.eventId) {
        throw invalidParameter(
          'Cannot provide a redacts value incoherent with the event_id of the URL parameter',
        );
      }
      const event_id = await sending.sendEvent(context, params.roomId, {
        type: 'm.room.redaction',
        sender: requester.userId,
        content: { ...body, redacts: params.eventId },
        transaction: transactionOf(requester, params.txnId),
      });
      return { event_id };
    },
  );
};

/** A client names its requests so that one sent twice counts once; each device has names of its own. */
const transactionOf = ({ deviceId }: Requester, transactionId: string) => ({
  deviceId: deviceId ?? '',
  transactionId,
});
