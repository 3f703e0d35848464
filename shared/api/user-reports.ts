/** The administrators' list of reports about users. */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Timestamp } from './common.ts';

export const UserReport = Type.Object({
  id: Type.Integer(),
  received_ts: Timestamp,
  target_user_id: Type.String({ description: 'Reported user' }),
  user_id: Type.String({ description: 'Reporter' }),
  reason: Type.String(),
});
export type UserReport = Static<typeof UserReport>;

/** A page holds this many reports at most, whatever `limit` asks for. */
export const maximumUserReportsPerPage = 1000;

export const UserReportListQuery = Type.Object({
  limit: Type.Integer({ minimum: 0, default: 100 }),
  from: Type.Integer({ minimum: 0, default: 0 }),
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'b' }),
  user_id: Type.Optional(Type.String()),
  target_user_id: Type.Optional(Type.String()),
});
export type UserReportListQuery = Static<typeof UserReportListQuery>;

export const UserReportPage = Type.Object({
  user_reports: Type.Array(UserReport),
  total: Type.Integer(),
  next_token: Type.Optional(Type.Integer({ description: 'Present only when more results exist' })),
});
export type UserReportPage = Static<typeof UserReportPage>;

export const listUserReports = {
  querystring: UserReportListQuery,
  response: { 200: UserReportPage, ...failures },
};

const params = Type.Object({ report_id: Type.String() });
export const getUserReport = { params, response: { 200: UserReport, ...failures } };
export const deleteUserReport = { params, response: { 200: EmptyObject, ...failures } };
