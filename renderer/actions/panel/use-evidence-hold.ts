import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useContext, useMemo, useRef, useState } from 'react';
import { evidenceIn, evidenceKind } from '../../../shared/team/evidence.ts';
import { noticesOf } from '../../components/notices.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useTeam } from '../../team/use-team.ts';
import type { Action } from '../action.ts';
import type { ReportToHold } from '../evidence/hold-evidence.ts';
import { openReportsOn } from '../evidence/reports-to-hold.ts';
import type { Item } from '../items.ts';
import { type ActedReport, ActedReportsContext } from './acted-reports.ts';

export type EvidenceHold = ReturnType<typeof useEvidenceHold>;

/** Holding the reported messages before an action removes them: the default, unless all are held. */
export function useEvidenceHold(chosen: readonly Action[], items: readonly Item[]) {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const acted = useContext(ActedReportsContext);
  const team = useTeam();
  const documents = team.documents(evidenceKind);
  const isRemoving = chosen.some(({ removesEvidence }) => removesEvidence);
  const on = useMemo(() => JSON.stringify(items), [items]);
  const found = useQuery({
    queryKey: [server.id, 'reports-to-hold', on],
    queryFn: ({ signal }) => openReportsOn({ server, queryClient, deletedReports }, items, signal),
    enabled: isRemoving,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const reports = useMemo(
    () => reportsToHold(items, acted?.ofCase ?? [], found.data ?? []),
    [items, acted, found.data],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the team is a new object after any change
  const unheld = useMemo(() => {
    const held = evidenceIn(team);
    const ids = new Set(held.flatMap((each) => each.reports));
    const events = new Set(held.flatMap((each) => each.events));
    return reports.filter(({ id, eventId = '' }) => !ids.has(id) && !events.has(eventId));
  }, [reports, documents]);
  const [isEnabled, want] = useState(true);
  const isDone = useRef(false);
  const isOffered = isRemoving && unheld.length > 0;

  return {
    isLoading: found.isLoading,
    /** Why open reports couldn't be found. */
    error: isRemoving ? found.error : null,
    isOffered,
    isEnabled,
    want,
    /** Number of messages. */
    count: new Set(unheld.map(({ id, eventId }) => eventId ?? id)).size,
    /** Holds the evidence if chosen, once. @throws ConnectionFailure */
    async hold() {
      if (!isOffered || !isEnabled || isDone.current) return;
      const { holdEvidence } = await import('../evidence/hold-evidence.ts');
      const { missing } = await holdEvidence({ server, queryClient }, unheld);
      isDone.current = true;
      if (missing.length > 0) {
        noticesOf(server).show({
          text: i18n.t('Evidence held, but incomplete: {what}', { what: missing.join(' · ') }),
        });
      }
    },
  };
}

/** Returns the event reports that led to the action, those of its case if it removes more than an event, and others. */
function reportsToHold(
  items: readonly Item[],
  ofCase: readonly ActedReport[],
  others: readonly ReportToHold[],
): ReportToHold[] {
  const own = items.flatMap(({ reports = [], reportKind }) => (reportKind === undefined ? reports : []));
  const isWhole = items.some(({ kind }) => kind === 'user' || kind === 'room');
  const inCase = ofCase.filter(({ of }) => of === 'report');
  const eventOf = new Map([...inCase, ...others].map(({ id, eventId }) => [id, eventId]));
  const ids = new Set([...own, ...[...(isWhole ? inCase : []), ...others].map(({ id }) => id)]);
  return [...ids].map((id) => ({ id, eventId: eventOf.get(id) }));
}
