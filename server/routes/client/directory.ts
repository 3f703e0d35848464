import { getRoomAlias } from '../../../shared/api/rooms.ts';
import { notFound } from '../../http/matrix-error.ts';
import type { Routes } from '../../http/routes.ts';
import { findRoomByAlias } from '../../storage/room-aliases.ts';

export const directoryRoutes: Routes = (app, { config, db }) => {
  app.get(
    '/directory/room/:roomAlias',
    { schema: getRoomAlias, config: { access: 'anyone' } },
    async ({ params }) => {
      const room_id = await findRoomByAlias(db, params.roomAlias);
      if (!room_id) throw notFound(`Room alias ${params.roomAlias} not found`);
      return { room_id, servers: [config.serverName] };
    },
  );
};
