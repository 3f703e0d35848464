/** Reads the number of reports on a server and the newest ones with the stored session. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ConnectionFailure, type Send, succeeded } from '../../shared/connection.ts';
import { dialects } from '../../shared/dialect.ts';
import type { Connections } from '../connections/connections.ts';
import { log } from '../log.ts';
import type { ReportKind, ReportsSeen } from './report-watch.ts';

/** No other fields are read. */
const Reports = Type.Array(Type.Object({ id: Type.Integer() }));
const Total = Type.Object({ total: Type.Integer() });

/** Never throws: failures are a state of the server. */
export async function askReports(
  connections: Pick<Connections, 'authorized'>,
  send: Send,
  connectionId: string,
  kind: ReportKind,
  limit: number,
): Promise<ReportsSeen> {
  try {
    const list = `${kind}_reports`;
    const reply = await connections.authorized(connectionId, ({ connection, accessToken }) => {
      const url = `${connection.baseUrl}${dialects[connection.dialect].administration}/admin/v1/${list}?limit=${limit}&dir=b`;
      return send({ method: 'GET', url, accessToken });
    });
    if (reply.status === 401) return 'signed-out';
    if (reply.status === 404) return 'not-offered';
    if (!succeeded(reply) || !Value.Check(Total, reply.body)) return 'unreachable';
    const reports: unknown = Reflect.get(reply.body, list);
    // At most the requested number, even if the server returns more.
    const rows: unknown = Array.isArray(reports) ? reports.slice(0, limit) : reports;
    if (!Value.Check(Reports, rows)) return 'unreachable';
    return { ids: rows.map(({ id }) => id), total: reply.body.total };
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) log.error("reports: couldn't check for new reports:", error);
    return 'unreachable';
  }
}
