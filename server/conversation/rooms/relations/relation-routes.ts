import {
  getRelations,
  getRelationsOfKind,
  getRelationsOfType,
  getThreads,
  type RelationsPage,
  type RelationsQuery,
} from '../../../../shared/api/events.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Requester } from '../../../platform/core/requester.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { user, userOrGuest } from '../../../platform/http/policy.ts';
import type { Routes } from '../../../platform/http/routes.ts';
import { parseStreamToken, streamToken } from '../events/stream-token.ts';
import { type RelatedPage, readRelated, readThreads, recursionDepth } from './relations.ts';

/** Under …/client/v1. Client-server API, "Relationships API" and "Threads API". */
export const relationRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
  const path = '/rooms/:roomId/relations/:eventId';
  const config = { policy: userOrGuest };

  const page = async (
    requester: Requester,
    { roomId, eventId, ...kind }: { roomId: string; eventId: string; relType?: string; eventType?: string },
    query: RelationsQuery,
  ): Promise<RelationsPage> => {
    const { dir: direction, limit, recurse } = query;
    const found = await readRelated(db, { requester, now: clock.now() }, roomId, eventId, {
      relType: kind.relType,
      type: kind.eventType,
      direction,
      from: parseStreamToken('from', query.from),
      to: parseStreamToken('to', query.to),
      limit,
      recurse,
    });
    return {
      ...asPage(found),
      ...(query.from && { prev_batch: query.from }),
      ...(recurse && { recursion_depth: recursionDepth }),
    };
  };

  app.get(path, { schema: getRelations, config }, ({ requester, params, query }) =>
    page(requester, params, query),
  );
  app.get(`${path}/:relType`, { schema: getRelationsOfKind, config }, ({ requester, params, query }) =>
    page(requester, params, query),
  );
  app.get(
    `${path}/:relType/:eventType`,
    { schema: getRelationsOfType, config },
    ({ requester, params, query }) => page(requester, params, query),
  );

  app.get(
    '/rooms/:roomId/threads',
    { schema: getThreads, config: { policy: user } },
    async ({ requester, params, query: { include, from, limit } }) => {
      const query = { participated: include === 'participated', from: parseStreamToken('from', from), limit };
      return asPage(await readThreads(db, { requester, now: clock.now() }, params.roomId, query));
    },
  );
};

const asPage = ({ events, next }: RelatedPage) => ({
  chunk: events,
  ...(next !== undefined && { next_batch: streamToken(next) }),
});
