import { createRoom } from '../../shared/api/rooms.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Routes } from '../http/routes.ts';
import type { RoomContext } from './append-events.ts';
import { planRoom, writeRoom } from './create-room.ts';

export const roomCreationRoutes: Routes<RoomContext & { db: Database }> = (app, services) => {
  app.post('/createRoom', { schema: createRoom }, async ({ body, requester }) => {
    const room = await planRoom(services.db, services, requester.userId, body);
    await inTransaction(services.db, (tx) => writeRoom(tx, room));
    return { room_id: room.record.roomId };
  });
};
