/** The administrators' list of reports about rooms. */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Timestamp } from './common.ts';

export const RoomReport = Type.Object({
  id: Type.Integer(),
  received_ts: Timestamp,
  room_id: Type.String({ description: 'Reported room' }),
  user_id: Type.String({ description: 'Reporter' }),
  reason: Type.String(),
});

/** A page has at most this many reports, whatever `limit` asks for. */
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

const params = Type.Object({ report_id: Type.String() });
export const getRoomReport = { params, response: { 200: RoomReport, ...failures } };
export const deleteRoomReport = { params, response: { 200: EmptyObject, ...failures } };
