import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useContext, useMemo, useRef, useState } from 'react';
import { evidenceIn, evidenceKind } from '../../../shared/team/evidence.ts';
import { reportsInRoomQuery } from '../../api/reports/event-reports.ts';
import { showNotice } from '../../components/notice.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useTeam } from '../../team/use-team.ts';
import type { Action } from '../action.ts';
import type { ReportToHold } from '../evidence/hold-evidence.ts';
import type { Item } from '../items.ts';
import { ActedReportsContext } from './acted-reports.ts';

export type EvidenceHold = ReturnType<typeof useEvidenceHold>;

/** Holding the reported messages before an action removes them: the default, unless all are held. */
export function useEvidenceHold(chosen: readonly Action[], items: readonly Item[]) {
  const server = useServer();
  const { queryClient } = useConsole();
  const acted = useContext(ActedReportsContext);
  const team = useTeam();
  const documents = team.documents(evidenceKind);
  const isRemoving = chosen.some(({ removesEvidence }) => removesEvidence);
  const [item, ...others] = items;
  const roomId = item?.kind === 'room' && others.length === 0 ? item.roomId : undefined;
  const inRoom = useQuery({
    ...reportsInRoomQuery(server, roomId ?? ''),
    enabled: isRemoving && roomId !== undefined && !acted,
  });
  const reports = useMemo(() => {
    const found = inRoom.data?.map(({ id, event_id: eventId }) => ({ of: 'report', id, eventId }));
    return reportsToHold(items, acted?.ofCase ?? found ?? []);
  }, [items, acted, inRoom.data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the team is a new object after any change
  const unheld = useMemo(() => {
    const held = evidenceIn(team);
    const ids = new Set(held.flatMap((each) => each.reports));
    const events = new Set(held.flatMap((each) => each.events));
    return reports.filter(({ id, eventId = '' }) => !ids.has(id) && !events.has(eventId));
  }, [reports, documents]);
  const [isWanted, want] = useState(true);
  const isDone = useRef(false);
  const isOffered = isRemoving && unheld.length > 0;

  return {
    isLoading: inRoom.isLoading,
    isOffered,
    isWanted,
    want,
    /** Number of messages. */
    count: new Set(unheld.map(({ id, eventId }) => eventId ?? id)).size,
    /** Does it if it's wanted, once. @throws ConnectionFailure */
    async hold() {
      if (!isOffered || !isWanted || isDone.current) return;
      const { holdEvidence } = await import('../evidence/hold-evidence.ts');
      const { missing } = await holdEvidence({ server, queryClient }, unheld);
      isDone.current = true;
      if (missing.length > 0) {
        showNotice({ text: i18n.t('Evidence held, but incomplete: {what}', { what: missing.join(' · ') }) });
      }
    },
  };
}

/** Returns the event reports on what the action removes: of a user or a room, all in the case or from the room. */
function reportsToHold(
  items: readonly Item[],
  all: readonly { of: string; id: number; eventId?: string }[],
): ReportToHold[] {
  const onEvents = all.filter(({ of }) => of === 'report');
  const eventOf = new Map(onEvents.map(({ id, eventId }) => [id, eventId]));
  const own = items.flatMap(({ reports = [], reportKind }) => (reportKind === undefined ? reports : []));
  const isWhole = items.some(({ kind }) => kind === 'user' || kind === 'room');
  const ids = new Set([...own, ...(isWhole ? onEvents.map(({ id }) => id) : [])]);
  return [...ids].map((id) => ({ id, eventId: eventOf.get(id) }));
}
