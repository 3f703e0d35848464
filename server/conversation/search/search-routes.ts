import {
  type FoundEvents,
  postSearch,
  type RoomEventsCriteria,
  searchUsers,
} from '../../../shared/api/search.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { jsonChunks } from '../../platform/core/json.ts';
import { unknownError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { streamJson } from '../../platform/http/send-json.ts';
import { type EventReader, serveEvents } from '../rooms/events/client-event.ts';
import { requestedEventFilter } from '../rooms/events/event-filter.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { streamToken } from '../rooms/events/stream-token.ts';
import { keyOfType, type SearchIndex } from './index-events.ts';
import { type MessagePage, searchMessages } from './search.ts';
import { parseSearchToken, type SearchOrder, searchToken } from './search-cursor.ts';
import { statesOf, surroundingsOf } from './surroundings.ts';
import { findUsersByName } from './user-search-store.ts';

type Context = { db: Database; clock: Clock; searchIndex: SearchIndex };

const searching: UserPolicy = {
  ...user,
  concurrency: { name: 'search', perUser: 4, refusal: 'Too many concurrent searches' },
};

const perPage = { default: 10, maximum: 100 };
const maximumContext = 50;
const maximumUsers = 50;
const parts: ReadonlySet<string> = new Set(keyOfType.values());

export const searchRoutes: Routes<Context> = (app, { db, clock, searchIndex }) => {
  app.post(
    '/search',
    { schema: postSearch, config: { policy: searching } },
    async ({ body, query, requester }, reply) => {
      const criteria = body.search_categories?.room_events;
      if (criteria?.search_term === undefined) throw unknownError('Invalid search query');
      const search = { ...criteria, search_term: criteria.search_term };
      const order = orderOf(search.order_by);
      for (const key of search.keys ?? []) {
        if (!parts.has(key)) throw unknownError('Invalid search query');
      }
      const filter = requestedEventFilter(
        search.filter === undefined ? undefined : JSON.stringify(search.filter),
      );
      await searchIndex.catchUp();
      const page = await searchMessages(db, requester.userId, {
        term: search.search_term,
        keys: search.keys,
        filter,
        order,
        limit: Math.min(filter.limit || perPage.default, perPage.maximum),
        isGrouped: search.groupings?.group_by !== undefined,
        from: parseSearchToken(order, query.next_batch),
      });
      // Only rooms that the user is in are searched.
      const reader = { requester, now: clock.now(), upTo: undefined };
      const found = { search_categories: { room_events: await asFound(db, reader, search, order, page) } };
      return streamJson(reply, jsonChunks(found, 7));
    },
  );
};

/** Client-server API, "User Directory". */
export const userDirectoryRoutes: Routes<{ db: Database; config: Pick<Config, 'userDirectory'> }> = (
  app,
  { db, config },
) => {
  app.post(
    '/user_directory/search',
    { schema: searchUsers, config: { policy: searching } },
    async ({ body, requester }) => {
      const { isOn, findsAll } = config.userDirectory;
      const limit = Math.min(Math.max(body.limit, 0), maximumUsers);
      const term = body.search_term.replace(/^@/, '').replace(/:.*$/s, '').slice(0, 255);
      if (!isOn || term === '') return { limited: false, results: [] };
      const found = await findUsersByName(db, {
        ...{ term, userId: requester.userId, findsAll },
        limit: limit + 1,
      });
      return {
        limited: found.length > limit,
        results: found.slice(0, limit).map(({ userId, displayName, avatarUrl }) => ({
          user_id: userId,
          display_name: displayName,
          avatar_url: avatarUrl,
        })),
      };
    },
  );
};

async function asFound(
  db: Database,
  reader: EventReader,
  { event_context: context, include_state, groupings }: RoomEventsCriteria,
  order: SearchOrder,
  page: MessagePage,
): Promise<FoundEvents> {
  const { found, rooms, total, highlights, next } = page;
  const served = await serveEvents(
    db,
    found.map((each) => each.served),
    reader,
  );
  const events = found.map(({ event }) => event);
  const contexts = context && (await contextsOf(db, reader, events, rooms, context));
  const results = found.flatMap(({ rank }, index): FoundEvents['results'] => {
    const result = served[index];
    return result ? [{ rank, result, ...(contexts && { context: contexts[index] }) }] : [];
  });
  const roomIds = new Set(found.map(({ event }) => event.pdu.room_id));
  return {
    count: total,
    highlights,
    results,
    ...(include_state && { state: await statesOf(db, reader, roomIds) }),
    ...(groupings?.group_by && { groups: groupsOf(page, order, groupings.group_by) }),
    ...(next && { next_batch: searchToken(order, next) }),
  };
}

async function contextsOf(
  db: Database,
  reader: EventReader,
  events: readonly StoredEvent[],
  rooms: MessagePage['rooms'],
  { before_limit, after_limit, include_profile = false }: NonNullable<RoomEventsCriteria['event_context']>,
) {
  const around = await surroundingsOf(db, reader, events, rooms, {
    beforeLimit: Math.min(before_limit, maximumContext),
    afterLimit: Math.min(after_limit, maximumContext),
    members: include_profile,
  });
  return around.map(({ before, after, start, end, members }) => {
    const profiles = members.map(({ pdu: { state_key = '', content } }) => [
      state_key,
      { displayname: content.displayname ?? null, avatar_url: content.avatar_url ?? null },
    ]);
    return {
      events_before: before,
      events_after: after,
      start: streamToken(start),
      end: streamToken(end),
      ...(include_profile && { profile_info: Object.fromEntries(profiles) }),
    };
  });
}

type Group = { results: string[]; order: number; next_batch?: string };

/** Groups results by room or sender. A group has the rank of its best result. */
function groupsOf(
  { found, nextOf }: MessagePage,
  order: SearchOrder,
  groupBy: readonly { key?: string | undefined }[],
) {
  const groups: Record<string, Record<string, Group>> = {};
  for (const { key } of groupBy) {
    if (key !== 'room_id' && key !== 'sender') throw unknownError(`Invalid group by keys: ${key}`);
    const byName = Map.groupBy(found, ({ event }) => event.pdu[key]);
    groups[key] = Object.fromEntries(
      [...byName].map(([value, inGroup]) => {
        const next = nextOf({ key, value });
        const group: Group = {
          results: inGroup.map(({ event }) => event.eventId),
          order: inGroup[0]?.rank ?? 0,
          ...(next && { next_batch: searchToken(order, next) }),
        };
        return [value, group];
      }),
    );
  }
  return groups;
}

function orderOf(order = 'rank'): SearchOrder {
  if (order !== 'rank' && order !== 'recent') throw unknownError(`Invalid order by: '${order}'`);
  return order;
}
