import { postReadMarkers, postReceipt } from '../../shared/api/receipts.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { Presence } from './presence.ts';
import { markRead, type ReadMark, type ReceiptContext, threadIdIn } from './receipts.ts';

const types = ['m.fully_read', 'm.read', 'm.read.private'] as const;
const isType = (type: string): type is ReadMark['type'] => (types as readonly string[]).includes(type);

export const receiptRoutes: Routes<ReceiptContext & { presence: Presence }> = (app, context) => {
  const { presence } = context;

  app.post(
    '/rooms/:roomId/receipt/:receiptType/:eventId',
    { schema: postReceipt, config: { policy: user } },
    async ({ params: { roomId, receiptType: type, eventId }, body, requester }) => {
      if (!isType(type)) {
        throw new MatrixError(400, 'M_UNKNOWN', 'Receipt type must be m.read.private, m.read, m.fully_read');
      }
      const threadId = threadIdIn(type, body);
      await markRead(context, requester.userId, roomId, [{ type, eventId, threadId }]);
      presence.noteActive(requester.userId);
      return {};
    },
  );

  app.post(
    '/rooms/:roomId/read_markers',
    { schema: postReadMarkers, config: { policy: user } },
    async ({ params, body, requester }) => {
      const marks = types.flatMap((type) => {
        const eventId = body[type];
        return typeof eventId === 'string' ? [{ type, eventId }] : [];
      });
      await markRead(context, requester.userId, params.roomId, marks);
      presence.noteActive(requester.userId);
      return {};
    },
  );
};
