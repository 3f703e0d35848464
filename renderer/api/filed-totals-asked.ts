import type { QueryClient } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';
import { type FiledKind, filedReportList } from './filed-reports.ts';
import { offeredQuery } from './offered.ts';

/** How many there are of each kind that the server has, and the number of the newest. */
export async function askTotals(server: Server, client: QueryClient, signal: AbortSignal) {
  const offered = await client.fetchQuery(offeredQuery(server));
  const total = async (kind: FiledKind) => {
    if (!offered.has(`${kind}Reports`)) return undefined;
    const { rows, total } = await filedReportList(server, kind, { dir: 'b' }).fetch(0, 1, signal);
    return { total, newestId: rows[0]?.id };
  };
  return { user: await total('user'), room: await total('room') };
}
