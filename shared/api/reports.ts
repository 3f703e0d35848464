import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject, Nullable, SafeInteger, Timestamp } from './common.ts';

const fields = {
  id: Type.Integer(),
  received_ts: Timestamp,
  room_id: Type.String(),
  name: Nullable(Type.String()),
  event_id: Type.String(),
  user_id: Type.String({ description: 'Reporter' }),
  reason: Nullable(Type.String()),
  score: Nullable(Type.Integer({ description: 'From -100 (most offensive) to 0 (inoffensive)' })),
  sender: Nullable(Type.String({ description: 'Sender of the reported event' })),
  canonical_alias: Nullable(Type.String()),
};

/** One report in the list. */
export const EventReportItem = Type.Object(fields);
export type EventReportItem = Static<typeof EventReportItem>;

/** One report with the reported event as it was sent. */
export const EventReportDetail = Type.Object({ ...fields, event_json: JsonObject });
export type EventReportDetail = Static<typeof EventReportDetail>;

export const EventReportPage = Type.Object({
  event_reports: Type.Array(EventReportItem),
  next_token: Type.Optional(Type.Integer({ description: 'Present only when more results exist' })),
  total: Type.Integer({ description: 'Number of matching reports' }),
});
export type EventReportPage = Static<typeof EventReportPage>;

/** Maximum number of reports per page. */
export const maximumReportsPerPage = 1000;

const EventReportListQuery = Type.Object({
  limit: Type.Integer({ minimum: 0, default: 100 }),
  from: Type.Integer({ minimum: 0, default: 0 }),
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'b' }),
  user_id: Type.Optional(Type.String()),
  room_id: Type.Optional(Type.String()),
  event_sender_user_id: Type.Optional(Type.String()),
});

/** `GET …/v1/event_reports`. */
export const listEventReports = {
  querystring: EventReportListQuery,
  response: { 200: EventReportPage, ...failures },
};

const params = Type.Object({ report_id: Type.String() });

/** `GET …/v1/event_reports/{report_id}`. */
export const getEventReport = { params, response: { 200: EventReportDetail, ...failures } };

/** `DELETE …/v1/event_reports/{report_id}`. */
export const deleteEventReport = { params, response: { 200: EmptyObject, ...failures } };

/** User reports, for server admins. */

const UserReport = Type.Object({
  id: Type.Integer(),
  received_ts: Timestamp,
  target_user_id: Type.String({ description: 'Reported user' }),
  user_id: Type.String({ description: 'Reporter' }),
  reason: Type.String(),
});

/** Maximum number of reports per page. */
export const maximumUserReportsPerPage = 1000;

const UserReportListQuery = Type.Object({
  limit: Type.Integer({ minimum: 0, default: 100 }),
  from: Type.Integer({ minimum: 0, default: 0 }),
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'b' }),
  user_id: Type.Optional(Type.String()),
  target_user_id: Type.Optional(Type.String()),
});

const UserReportPage = Type.Object({
  user_reports: Type.Array(UserReport),
  total: Type.Integer(),
  next_token: Type.Optional(Type.Integer({ description: 'Present only when more results exist' })),
});

export const listUserReports = {
  querystring: UserReportListQuery,
  response: { 200: UserReportPage, ...failures },
};

export const getUserReport = { params, response: { 200: UserReport, ...failures } };
export const deleteUserReport = { params, response: { 200: EmptyObject, ...failures } };

/** Room reports, for server admins. */

const RoomReport = Type.Object({
  id: Type.Integer(),
  received_ts: Timestamp,
  room_id: Type.String({ description: 'Reported room' }),
  user_id: Type.String({ description: 'Reporter' }),
  reason: Type.String(),
});

/** Maximum number of reports per page. */
export const maximumRoomReportsPerPage = 1000;

export const RoomReportListQuery = Type.Object({
  limit: Type.Integer({ minimum: 0, default: 100 }),
  from: Type.Integer({ minimum: 0, default: 0 }),
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'b' }),
  user_id: Type.Optional(Type.String()),
  room_id: Type.Optional(Type.String()),
});
export type RoomReportListQuery = Static<typeof RoomReportListQuery>;

export const listRoomReports = {
  querystring: RoomReportListQuery,
  response: {
    200: Type.Object({
      room_reports: Type.Array(RoomReport),
      total: Type.Integer(),
      next_token: Type.Optional(Type.Integer({ description: 'Present only when more results exist' })),
    }),
    ...failures,
  },
};

export const getRoomReport = { params, response: { 200: RoomReport, ...failures } };
export const deleteRoomReport = { params, response: { 200: EmptyObject, ...failures } };

/** Reporting events, rooms and users. Matrix specification, client-server API, "Reporting content". */

/** `POST …/v3/rooms/{roomId}/report/{eventId}`. */
export const reportEvent = {
  params: Type.Object({ roomId: Type.String(), eventId: Type.String() }),
  body: Type.Object(
    { reason: Type.Optional(Type.String()), score: Type.Optional(SafeInteger) },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

const body = Type.Object({ reason: Type.String() }, { additionalProperties: true });

export const reportRoom = {
  params: Type.Object({ roomId: Type.String() }),
  body,
  response: { 200: EmptyObject, ...failures },
};

export const reportUser = {
  params: Type.Object({ userId: Type.String() }),
  body,
  response: { 200: EmptyObject, ...failures },
};
