/** The server's last requests and replies, with secrets redacted. */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Nullable, Timestamp } from '../api/common.ts';

/**
 * Maximum number of recorded requests in memory. The consoles' own requests are counted separately, with the same
 * maximum.
 */
export const keptRequests = 1_000;

/** Replaces secrets. */
export const REDACTED = '<redacted>';

const Headers = Type.Array(Type.Tuple([Type.String(), Type.String()]), {
  description: 'Lowercase names, in the order received',
});

/** A body with secrets redacted, cut if long; null for none. */
const Body = Nullable(Type.String());

export const InspectedRequest = Type.Object({
  number: Type.Integer({ description: 'Sequence number from 1, including dropped requests' }),
  received_ts: Timestamp,
  method: Type.String(),
  path: Type.String({ description: 'Path including the query' }),
  request: Type.Object({
    headers: Headers,
    body: Body,
    size: Type.Integer({ description: 'Size of the whole body in bytes; 0 if unknown' }),
    cut: Type.Boolean({ description: 'The body is truncated' }),
  }),
  reply: Type.Object({
    status: Type.Integer({ description: '0 if the connection was closed without a reply' }),
    headers: Headers,
    body: Body,
    size: Type.Integer(),
    cut: Type.Boolean(),
  }),
  ms: Type.Number({ description: 'From the request to the end of the response' }),
  user_id: Nullable(Type.String()),
  database: Type.Object({
    statements: Type.Integer(),
    ms: Type.Number(),
    asked: Type.Array(
      Type.Object({
        sql: Type.String({ description: 'Statement with placeholders; long ones are truncated' }),
        times: Type.Integer(),
        ms: Type.Number({ description: 'Total of these durations' }),
      }),
      { description: 'The 50 slowest distinct statements, slowest first' },
    ),
  }),
});
export type InspectedRequest = Static<typeof InspectedRequest>;

export const Inspector = Type.Object({
  on: Type.Boolean(),
  kept: Type.Integer({ description: 'Number of requests' }),
});
export type Inspector = Static<typeof Inspector>;
export const getInspector = { response: { 200: Inspector, ...failures } };
/** Switching it off keeps recorded requests; `DELETE requests` deletes them. */
export const putInspector = {
  body: Type.Object({ on: Type.Boolean() }, { additionalProperties: true }),
  response: { 200: Inspector, ...failures },
};

/** Oldest first; `next` is the next `after`. */
export const listInspected = {
  querystring: Type.Object({
    after: Type.Integer({ minimum: 0, default: 0, description: 'Only requests with higher numbers' }),
    limit: Type.Integer({ minimum: 1, maximum: keptRequests, default: 100 }),
    path: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'End of the decoded path, such as /sync; * matches any characters',
      }),
    ),
    method: Type.Optional(Type.String({ maxLength: 20 })),
    user: Type.Optional(Type.String({ maxLength: 255, description: 'User ID or its local part' })),
    status: Type.Optional(Type.Integer()),
    count: Type.Integer({
      minimum: 1,
      maximum: keptRequests,
      default: 1,
      description: 'With timeout: number of matching requests to wait for',
    }),
    timeout: Type.Integer({
      minimum: 0,
      maximum: 600_000,
      default: 0,
      description: 'Milliseconds to wait for matching requests',
    }),
  }),
  response: {
    200: Type.Object({ requests: Type.Array(InspectedRequest), next: Type.Integer() }),
    ...failures,
  },
};
export const deleteInspected = { response: { 200: EmptyObject, ...failures } };

/**
 * Server-sent events `request`: `data` is an `InspectedRequest`, `id` its number; a comment every 15 s. Begins after the
 * `Last-Event-ID` header or the parameter `after`, by default with the oldest recorded request. Slow readers are
 * disconnected, and continue after their last ID.
 */
export const streamInspected = {
  querystring: Type.Object({ after: Type.Optional(Type.Integer({ minimum: 0 })) }),
};
