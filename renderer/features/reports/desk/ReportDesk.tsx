import { i18n } from '@lingui/core';
import { CloseButton, UnstyledButton } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, lazy, memo, type ReactNode, Suspense, useLayoutEffect } from 'react';
import { eventReportTotalQuery } from '../../../api/reports/event-reports.ts';
import type { AnyReport } from '../../../api/reports/report-source.ts';
import { keepsRunningTotals, serverSoftwareQuery } from '../../../api/server.ts';
import { StateMessage } from '../../../components/LoadStates.tsx';
import { RelatedScreens } from '../../../components/page/RelatedScreens.tsx';
import { UnexpectedEntryButton } from '../../../components/UnexpectedEntry.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { useReportCounts } from '../../../team/open-counts.ts';
import { useOfferDismissal, useTeam } from '../../../team/use-team.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import detailClasses from '../detail/ReportDetail.module.css';
import type { ReportList as ReportListState } from '../list/use-report-list.ts';
import type { Queue } from '../report-search.ts';
import { EscalatePanel } from './EscalatePanel.tsx';
import { ListBody, NotInList } from './ListBody.tsx';
import { ListHeading } from './ListHeading.tsx';
import { Panes } from './Panes.tsx';
import { QueueTabs } from './QueueTabs.tsx';
import classes from './ReportDesk.module.css';
import { ReportList } from './ReportList.tsx';
import { ReportSelectionBar } from './ReportSelectionBar.tsx';
import type { RowProps } from './Row.tsx';
import { ScanProgress } from './ScanProgress.tsx';
import type { ReportDesk as DeskState } from './use-report-desk.ts';

type Changes = { queue?: Queue | undefined };

type Props<Report extends AnyReport> = {
  title: string;
  list: ReportListState<Report>;
  desk: DeskState<Report>;
  onChange: (changes: Changes) => unknown;
  onClearFilters: () => unknown;
  filters: ReactNode;
  /** Links and menus beside the number of matches. */
  tools: ReactNode;
  /** Actions for the selection. */
  actions: (onActed: (how: { reviewed: boolean }) => void) => ReactNode;
  /** Below the scan progress. */
  scanned?: ReactNode;
  /** The rows in groups, and their number. */
  groups?: { count: number; list: ReactNode } | undefined;
  Row: ComponentType<RowProps<Report>>;
  /** Empty state. */
  none: ReactNode;
  /** Shown if the server doesn't support these reports. */
  notOffered: string;
  notOfferedWhy?: string | undefined;
  /** The open report. */
  children: ReactNode;
};

const PolicyPanel = lazy(async () => ({ default: (await import('./PolicyPanel.tsx')).PolicyPanel }));

/** The list with its queues on the left, the report on the right, and the edge between them. */
export function ReportDesk<Report extends AnyReport>(props: Props<Report>) {
  const { list, desk, onChange, onClearFilters } = props;
  const { selection, triage, leftOut, pane } = desk;
  const { focusList, detailElement } = desk.panes;
  const { queue, report: openId } = list.search;
  const { stage, query, unexpected } = list.status;
  // A new report is scrolled to its beginning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reruns for another report
  useLayoutEffect(() => {
    detailElement.current?.scrollTo(0, 0);
  }, [openId]);
  function onActed({ reviewed }: { reviewed: boolean }) {
    // An action that leaves reports open keeps them selected.
    if (reviewed) {
      triage.openNextAfter([...selection.selected]);
      selection.clear();
    }
    focusList();
  }
  const isEmpty = stage === 'no reports' || (query.error !== null && !query.data);
  return (
    <>
      <Panes
        title={props.title}
        panes={desk.panes}
        pane={pane}
        list={
          <>
            <ReportKinds />
            <QueueTabs queue={queue} counts={list.counts.queues} onChange={onChange} />
            {props.filters}
            {selection.selected.size > 0 ? (
              <ReportSelectionBar
                selection={selection}
                total={list.counts.matching}
                state={desk.selectedState()}
                onSelectAll={desk.selectAll}
                onMark={triage.toggle}
              >
                {props.actions(onActed)}
              </ReportSelectionBar>
            ) : (
              <ListHeading list={list} groups={props.groups?.count} onShowNew={desk.showNew}>
                {props.tools}
              </ListHeading>
            )}
            <ScanProgress list={list}>{props.scanned}</ScanProgress>
            {unexpected.length > 0 && (
              <div className={classes.unexpected}>
                {unexpected.map((entry, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: unreadable entries may have no ID
                  <UnexpectedEntryButton key={index} entry={entry} />
                ))}
              </div>
            )}
            <TeamOffer />
            <ListBody
              {...desk.body}
              onClear={onClearFilters}
              onScanMore={list.more?.further}
              none={props.none}
              notOffered={props.notOffered}
              notOfferedWhy={props.notOfferedWhy}
            >
              {props.groups?.list ?? <ReportList key={list.name} {...desk.list} Row={props.Row} />}
            </ListBody>
          </>
        }
      >
        <section
          ref={detailElement}
          className={detailClasses.detail}
          aria-label={i18n.t('Report')}
          // A region that scrolls has to be reachable by key.
          tabIndex={openId === undefined ? -1 : 0}
        >
          {openId === undefined ? (
            !isEmpty && <NothingOpen />
          ) : (
            <>
              {leftOut?.report && (
                <NotInList
                  by={leftOut.by}
                  onClear={() =>
                    leftOut.by === 'filters' ? onClearFilters() : onChange({ queue: undefined })
                  }
                />
              )}
              {props.children}
            </>
          )}
        </section>
      </Panes>
      {desk.escalation.opened && <EscalatePanel {...desk.escalation} />}
      {desk.upholding && (
        <Suspense>
          <PolicyPanel {...desk.upholding} />
        </Suspense>
      )}
    </>
  );
}

/** Shown while no report is open. */
const NothingOpen = () => (
  <StateMessage
    icon={<IconFlag size={24} stroke={1.5} />}
    title={i18n.t('No report open')}
    description={
      useConsole().commands.keyWorks('j')
        ? i18n.t('Choose a report, or press j. Press ? for shortcuts.')
        : i18n.t('Choose a report.')
    }
  />
);

/** Links to the kinds of reports, with pending counts. */
export const ReportKinds = memo(function ReportKinds() {
  const counts = useReportCounts(useServer());
  return (
    <RelatedScreens
      of="reports"
      counts={{
        '/reports': counts.report.pending,
        '/reports/users': counts.user_report.pending,
        '/reports/rooms': counts.room_report.pending,
      }}
    />
  );
});

/** Above the list: the offer to share marks, or the failure to read the team's. */
export function TeamOffer() {
  const server = useServer();
  const { marks, areMarksKnown, sync } = useTeam();
  const { isDismissed, dismiss } = useOfferDismissal();
  const { room } = sync;
  const isAnswered = useQuery({ ...eventReportTotalQuery(server, {}), enabled: false }).data !== undefined;
  // Not offered to a single admin. Only for servers that list admins quickly.
  const wouldOffer = room.is === 'absent' && marks.size > 0 && !isDismissed;
  const software = useQuery({ ...serverSoftwareQuery(server), enabled: wouldOffer });
  const hasTotals = keepsRunningTotals(software.data);
  const administrators = useQuery({
    queryKey: [server.id, 'team-administrators'],
    queryFn: sync.administrators,
    enabled: wouldOffer && hasTotals,
    staleTime: 60_000,
    structuralSharing: false,
  });
  // If reports can't be loaded either, the list shows the error.
  if (room.is === 'failed' && !areMarksKnown && isAnswered) {
    return (
      <aside className={classes.offer} aria-label={i18n.t("Couldn't load team status")}>
        <span title={failureSentence(room.why)}>
          {i18n.t("Couldn't load team status. Queues show only this device's.")}{' '}
          <UnstyledButton className={classes.again} onClick={sync.retry}>
            {i18n.t('Retry')}
          </UnstyledButton>
        </span>
      </aside>
    );
  }
  const mayHaveOthers = hasTotals ? (administrators.data?.size ?? 0) > 1 : !software.isPending;
  if (room.is === 'offered' ? isDismissed : !wouldOffer || !mayHaveOthers) return null;
  return (
    <aside className={classes.offer} aria-label={i18n.t('Status not shared')}>
      <span>
        {room.is === 'offered'
          ? i18n.t("Your team shares report status. You haven't joined yet.")
          : i18n.t('Report status stays on this device, invisible to other admins.')}{' '}
        <Link to="/settings" hash="team">
          {room.is === 'offered' ? i18n.t('Join team…') : i18n.t('Share with team…')}
        </Link>
      </span>
      <CloseButton size="xs" aria-label={i18n.t('Hide (stays in Settings)')} onClick={dismiss} />
    </aside>
  );
}
