/**
 * The test API of temporary servers: reset, snapshots, the clock, faults. For server admins on the server's own computer;
 * 404 `M_UNRECOGNIZED` on other servers.
 */
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, failures, Timestamp } from '../api/common.ts';

const Milliseconds = Type.Integer({ minimum: 0, maximum: 3_600_000 });

/** Accepts names such as `before login`. */
const snapshotParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });
const Snapshot = Type.Object({ name: Type.String(), created_ts: Timestamp });

/** `POST reset`: back to the state after the start, with seeded data; clears faults and recorded requests. */
export const resetTest = { response: { 200: EmptyObject, ...failures } };
export const listSnapshots = {
  response: { 200: Type.Object({ snapshots: Type.Array(Snapshot) }), ...failures },
};
/** `PUT snapshots/:name` saves data, media and clock; it replaces a snapshot of that name. */
export const putSnapshot = { params: snapshotParams, response: { 200: Snapshot, ...failures } };
/** `POST snapshots/:name/restore` goes back to it; clears faults and recorded requests. */
export const restoreSnapshot = { params: snapshotParams, response: { 200: EmptyObject, ...failures } };
export const deleteSnapshot = { params: snapshotParams, response: { 200: EmptyObject, ...failures } };

const TestClockState = Type.Object({
  now_ts: Timestamp,
  frozen: Type.Boolean({ description: 'The time of day stands still; timeouts go on' }),
});
export const getTestClock = { response: { 200: TestClockState, ...failures } };
/** `POST clock`: sets the time, then freezes or releases it, then advances it. */
export const postTestClock = {
  body: Type.Object({
    now_ts: Type.Optional(Type.Integer({ minimum: 0, maximum: 8.64e15, description: 'New time of day' })),
    frozen: Type.Optional(Type.Boolean()),
    advance: Type.Optional(
      Type.Union([
        Type.Integer({ minimum: 0, maximum: 1e13 }),
        Type.String({ pattern: '^[0-9]{1,9}[smhdwy]$' }),
      ]),
    ),
  }),
  response: { 200: TestClockState, ...failures },
};

/** Selects requests; all of them if empty. */
const requestRule = {
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'End of the decoded path, such as /sync or /send/*; * matches any characters',
    }),
  ),
  method: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  user: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'User ID or its local part' }),
  ),
};

export const FaultRule = Type.Object(
  {
    ...requestRule,
    times: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Number of requests it applies to; unlimited if not set' }),
    ),
    skip: Type.Optional(Type.Integer({ minimum: 0, description: 'Matching requests to let through first' })),
    delay_ms: Type.Optional(Milliseconds),
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599, description: 'Replies with it' })),
    body: Type.Optional(
      Type.Unknown({
        description: 'Body of that reply: JSON, or text; a Matrix error by default from status 400',
      }),
    ),
    headers: Type.Optional(Dictionary(Type.String(), { maxProperties: 50 })),
    retry_after_ms: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Replies with 429 M_LIMIT_EXCEEDED and this delay' }),
    ),
    malformed: Type.Optional(
      Type.Boolean({ description: 'Replies with truncated JSON; status 200 if not set' }),
    ),
    cut: Type.Optional(Type.Boolean({ description: 'Closes the connection without a reply' })),
    handle: Type.Optional(
      Type.Boolean({ description: 'Handles the request as usual first; only its reply is replaced' }),
    ),
  },
  { additionalProperties: false },
);
export type FaultRule = Static<typeof FaultRule>;

export const Fault = Type.Object({
  id: Type.Integer(),
  ...FaultRule.properties,
  applied: Type.Integer({ description: 'Number of requests it has been applied to' }),
});
export type Fault = Static<typeof Fault>;

export const listFaults = {
  response: { 200: Type.Object({ faults: Type.Array(Fault) }), ...failures },
};
/** `POST faults`: rules are tried in the order in which they were added. */
export const postFault = { body: FaultRule, response: { 200: Fault, ...failures } };
export const deleteFaults = { response: { 200: EmptyObject, ...failures } };
export const deleteFault = {
  params: Type.Object({ id: Type.String() }),
  response: { 200: EmptyObject, ...failures },
};
