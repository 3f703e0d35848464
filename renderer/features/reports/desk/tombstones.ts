import { useSyncExternalStore } from 'react';
import type { Tombstones } from '../../../api/deleted-reports.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import type { ReportKind } from '../../../team/entries.ts';

/** The name under which the console knows what is gone of one kind of reports: each kind has numbers of its own. */
export const graveyardOf = (serverId: string, of: ReportKind) =>
  of === 'report' ? serverId : `${serverId} ${of}`;

/** Which reports of a kind are gone, or about to go. */
export function useTombstones(of: ReportKind): Tombstones {
  const { deletedReports } = useConsole();
  const graveyard = graveyardOf(useServer().id, of);
  return useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(graveyard));
}
