/** What is about an event. Matrix specification, client-server API, "Relationships API", "Threading". */
import { type Static, Type } from 'typebox';
import { failures } from './common.ts';
import { ClientEvent } from './events.ts';

const parent = { roomId: Type.String(), eventId: Type.String() };

/** How many events a page holds where the client doesn't say, and at most. */
export const relationsPerPage = { default: 5, maximum: 100 } as const;
const limit = Type.Integer({ minimum: 1, default: relationsPerPage.default });

export const RelationsPage = Type.Object({
  chunk: Type.Array(ClientEvent),
  next_batch: Type.Optional(Type.String({ description: 'Omitted on the last page' })),
  prev_batch: Type.Optional(Type.String()),
  recursion_depth: Type.Optional(Type.Integer()),
});
export type RelationsPage = Static<typeof RelationsPage>;

export const RelationsQuery = Type.Object({
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'b' }),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  limit,
  recurse: Type.Boolean({ default: false, description: 'Include indirect relations' }),
});
export type RelationsQuery = Static<typeof RelationsQuery>;

const page = { querystring: RelationsQuery, response: { 200: RelationsPage, ...failures } };
export const getRelations = { ...page, params: Type.Object(parent) };
export const getRelationsOfKind = { ...page, params: Type.Object({ ...parent, relType: Type.String() }) };
export const getRelationsOfType = {
  ...page,
  params: Type.Object({ ...parent, relType: Type.String(), eventType: Type.String() }),
};

export const ThreadsPage = Type.Object({
  chunk: Type.Array(ClientEvent),
  next_batch: Type.Optional(Type.String({ description: 'Omitted on the last page' })),
});
export type ThreadsPage = Static<typeof ThreadsPage>;
export const getThreads = {
  params: Type.Object({ roomId: Type.String() }),
  querystring: Type.Object({
    include: Type.Union([Type.Literal('all'), Type.Literal('participated')], { default: 'all' }),
    from: Type.Optional(Type.String()),
    limit,
  }),
  response: { 200: ThreadsPage, ...failures },
};
