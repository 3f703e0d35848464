/** How many reports a connected server has, and which are the newest, with the session that is kept for it. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ConnectionFailure, type Send, succeeded } from '../shared/connection.ts';
import { dialects } from '../shared/dialect.ts';
import type { Connections } from './connections.ts';
import { log } from './log.ts';
import type { ReportsSeen } from './report-watch.ts';

/** Nothing else of them is looked at. */
const Page = Type.Object({
  event_reports: Type.Array(Type.Object({ id: Type.Integer() })),
  total: Type.Integer(),
});

/** Never throws: what can't be known is a state of the server. */
export async function askReports(
  connections: Pick<Connections, 'session'>,
  send: Send,
  connectionId: string,
  limit: number,
): Promise<ReportsSeen> {
  try {
    const { connection, accessToken } = await connections.session(connectionId);
    const url = `${connection.baseUrl}${dialects[connection.dialect].administration}/admin/v1/event_reports?limit=${limit}&dir=b`;
    const reply = await send({ method: 'GET', url, accessToken });
    if (reply.status === 401) return 'signed-out';
    if (!succeeded(reply) || !Value.Check(Page, reply.body)) return 'unreachable';
    const { event_reports: reports, total } = reply.body;
    return { ids: reports.map(({ id }) => id), total };
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) log.error('Looking for reports:', error);
    return 'unreachable';
  }
}
