import type { ActedOn } from '../../../actions/subject.ts';
import type { FiledKind, FiledReport } from '../../../api/filed-reports.ts';

/** The reports themselves, and whom or what they are about. */
export function actedOnFiled(
  kind: FiledKind,
  reports: readonly Pick<FiledReport, 'id' | 'about'>[],
): ActedOn {
  return {
    filed: reports.map(({ id, about }) => ({ of: kind, reportId: id, about })),
    ...(kind === 'user'
      ? { users: reports.map(({ about: userId }) => ({ userId })) }
      : { rooms: reports.map(({ about: roomId }) => ({ roomId })) }),
  };
}
