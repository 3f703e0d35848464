import { createRoom as createRoomSchema } from '../../shared/api/rooms.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Routes } from '../http/routes.ts';
import type { RoomContext } from './append-events.ts';
import { createRoom } from './create-room.ts';

export const roomCreationRoutes: Routes<RoomContext & { db: Database }> = (app, services) => {
  app.post('/createRoom', { schema: createRoomSchema }, async ({ body, requester }) => ({
    room_id: await inTransaction(services.db, (tx) => createRoom(tx, services, requester.userId, body)),
  }));
};
