import type { ActedOn } from '../../../actions/subject.ts';
import type { FiledKind, FiledReport } from '../../../api/filed-reports.ts';
import type { Server } from '../../../transport/server.ts';
import { serverName } from '../../../transport/server-name.ts';

/** The reports themselves, and whom or what they are about. */
export function actedOnFiled(
  kind: FiledKind,
  reports: readonly (Pick<FiledReport, 'id' | 'about'> & Partial<FiledReport>)[],
): ActedOn {
  const because = (id: number) => ({ reports: [id], reportKind: `${kind}_report` as const });
  return {
    filed: reports.map(({ id, about, by, received_ts: at, reason }) => ({
      of: kind,
      reportId: id,
      about,
      ...(by !== undefined && { by }),
      ...(at !== undefined && { at }),
      ...(reason && { reason }),
    })),
    ...(kind === 'user'
      ? { users: reports.map(({ id, about: userId }) => ({ userId, ...because(id) })) }
      : { rooms: reports.map(({ id, about: roomId }) => ({ roomId, ...because(id) })) }),
  };
}

/** Stands for a report that is on its way. */
export const actedOnComing = ({ connection }: Server, kind: FiledKind, id: number): ActedOn =>
  actedOnFiled(kind, [{ id, about: `@:${serverName(connection)}` }]);
