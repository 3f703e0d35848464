import { getEventAtTime } from '../../../shared/api/rooms.ts';
import type { Routes } from '../../http/routes.ts';
import { readEventAtTime } from '../../rooms/history.ts';

export const eventAtTimeRoutes: Routes = (app, { db, clock }) => {
  app.get('/rooms/:roomId/timestamp_to_event', { schema: getEventAtTime }, ({ params, query, requester }) =>
    readEventAtTime(db, { requester, now: clock.now() }, params.roomId, query),
  );
};
