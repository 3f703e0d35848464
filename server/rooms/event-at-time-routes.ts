import { getEventAtTime } from '../../shared/api/rooms.ts';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../database/schema.ts';
import { user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { readEventAtTime } from './history.ts';

export const eventAtTimeRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
  app.get(
    '/rooms/:roomId/timestamp_to_event',
    { schema: getEventAtTime, config: { policy: user } },
    ({ params, query, requester }) =>
      readEventAtTime(db, { requester, now: clock.now() }, params.roomId, query),
  );
};
