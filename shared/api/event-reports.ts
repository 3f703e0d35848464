import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject, Nullable, Timestamp } from './common.ts';

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

/** One report in the list. Interface: "Event report". */
export const EventReportItem = Type.Object(fields);
export type EventReportItem = Static<typeof EventReportItem>;

/** One report with the reported event as it was sent. Interface: "Event report". */
export const EventReportDetail = Type.Object({ ...fields, event_json: JsonObject });
export type EventReportDetail = Static<typeof EventReportDetail>;

export const EventReportPage = Type.Object({
  event_reports: Type.Array(EventReportItem),
  next_token: Type.Optional(Type.Integer({ description: 'Present only when more results exist' })),
  total: Type.Integer({ description: 'Number of matching reports' }),
});
export type EventReportPage = Static<typeof EventReportPage>;

/** A page holds this many reports at most, whatever `limit` asks for. */
export const maximumReportsPerPage = 1000;

export const EventReportListQuery = Type.Object({
  limit: Type.Integer({ minimum: 0, default: 100 }),
  from: Type.Integer({ minimum: 0, default: 0 }),
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'b' }),
  user_id: Type.Optional(Type.String()),
  room_id: Type.Optional(Type.String()),
  event_sender_user_id: Type.Optional(Type.String()),
});
export type EventReportListQuery = Static<typeof EventReportListQuery>;

/** Interface: "GET …/event_reports". */
export const listEventReports = {
  querystring: EventReportListQuery,
  response: { 200: EventReportPage, ...failures },
};

const params = Type.Object({ report_id: Type.String() });

/** Interface: "GET …/event_reports/<report_id>". */
export const getEventReport = { params, response: { 200: EventReportDetail, ...failures } };

/** Interface: "DELETE …/event_reports/<report_id>". */
export const deleteEventReport = { params, response: { 200: EmptyObject, ...failures } };
