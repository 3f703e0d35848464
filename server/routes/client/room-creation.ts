import { createRoom as createRoomSchema } from '../../../shared/api/rooms.ts';
import type { Routes } from '../../http/routes.ts';
import { createRoom } from '../../rooms/create-room.ts';

export const roomCreationRoutes: Routes = (app, services) => {
  app.post('/createRoom', { schema: createRoomSchema }, async ({ body, requester }) => ({
    room_id: await services.db
      .transaction()
      .execute((transaction) => createRoom(transaction, services, requester.userId, body)),
  }));
};
