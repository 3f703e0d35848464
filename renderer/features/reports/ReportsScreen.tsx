import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconFilterOff, IconInbox } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Type } from 'typebox';
import { eventReportQuery } from '../../api/event-reports.ts';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { SampleDataHint } from '../../components/SampleDataHint.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { persisted } from '../../persisted.ts';
import { useTeam } from '../../team/use-team.ts';
import { ReportDetail } from './detail/ReportDetail.tsx';
import { ListHeading } from './ListHeading.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { ReportList } from './ReportList.tsx';
import { ReportListSkeleton } from './ReportListSkeleton.tsx';
import classes from './ReportsScreen.module.css';
import { useReportCommands } from './report-commands.tsx';
import { useReportDeletion } from './report-deletion.tsx';
import { useReportList } from './report-list.ts';
import { isFiltered, type ReportSearch } from './report-search.ts';
import { useReportSelection } from './report-selection.ts';
import { SelectionActions } from './SelectionActions.tsx';

/** How the panels share the width, in percent; empty until someone has moved the boundary. */
const panelLayout = () =>
  persisted('gatehouse.reports.layout', Type.Record(Type.String(), Type.Number()), {});

/** The list on the left, the report on the right; which report and which filters is in the address. */
export function ReportsScreen() {
  const { queryClient } = useConsole();
  const server = useServer();
  const search = useSearch({ from: '/frame/server/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const { query, reports, others, total } = useReportList(search);
  const team = useTeam();
  const reviewedIds = useMemo(
    () => new Set([...team.marks.values()].map(({ reportId }) => reportId)),
    [team.marks],
  );
  const layout = panelLayout();
  const listElement = useRef<HTMLDivElement>(null);
  const detailElement = useRef<HTMLElement>(null);
  const filterElement = useRef<HTMLInputElement>(null);

  /** A click is a step that Back returns from; walking through the list with keys is not. */
  const open = useCallback(
    (report: number | undefined, step: 'click' | 'key') =>
      navigate({ search: (current) => ({ ...current, report }), replace: step === 'key' }),
    [navigate],
  );
  const change = useCallback(
    (changes: Partial<ReportSearch>) => navigate({ search: (current) => ({ ...current, ...changes }) }),
    [navigate],
  );

  const ids = useMemo(() => reports.map(({ id }) => id), [reports]);
  const selection = useReportSelection(ids, search.report, open);
  const onScreen = useRef(true);
  useEffect(() => {
    onScreen.current = true;
    return () => {
      onScreen.current = false;
    };
  }, []);
  /** Reports can come back while another screen is open; nobody is led away from it. */
  const restore = useCallback(
    (restored: readonly number[]) => onScreen.current && open(restored[0], 'key'),
    [open],
  );
  const removeReports = useReportDeletion(restore);

  // The report that comes next is there when its key is pressed.
  const nextId = ids[ids.indexOf(search.report ?? -1) + 1];
  useEffect(() => {
    if (nextId !== undefined) queryClient.prefetchQuery(eventReportQuery(server, nextId));
  }, [queryClient, server, nextId]);

  const focusList = useCallback(() => listElement.current?.focus(), []);
  const remove = (reportIds: readonly number[]) => {
    selection.leave(reportIds);
    removeReports(reportIds);
    focusList();
  };
  const toggleReviewed = (reportIds: readonly number[]) => {
    if (reportIds.every((id) => reviewedIds.has(id))) {
      team.mark(reportIds, 'open');
    } else {
      team.mark(
        reportIds.filter((id) => !reviewedIds.has(id)),
        'reviewed',
      );
      if (reportIds.length === 1 && reportIds[0] === search.report) selection.move(1);
    }
    selection.clear();
  };

  useReportCommands({
    selection,
    reviewed: reviewedIds,
    current: reports.find(({ id }) => id === search.report),
    search,
    change,
    remove,
    toggleReviewed,
    focusFilter: () => filterElement.current?.focus(),
    focusDetail: () => detailElement.current?.focus(),
    focusList,
  });

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const loadMore = useMemo(
    () =>
      hasNextPage && !isFetchNextPageError ? () => void (isFetchingNextPage || fetchNextPage()) : undefined,
    [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage],
  );

  function listBody() {
    if (query.isPending) return <ReportListSkeleton />;
    if (query.isError && !query.data) {
      return (
        <FailureMessage
          title={i18n.t('The reports could not be loaded')}
          error={query.error}
          onRetry={() => query.refetch()}
          retrying={query.isFetching}
        />
      );
    }
    if (reports.length === 0 && !hasNextPage) {
      return isFiltered(search) ? (
        <StateMessage
          icon={<IconFilterOff size={24} stroke={1.5} />}
          title={i18n.t('No report matches')}
          description={i18n.t('There may be others: these filters leave none.')}
        >
          <Button
            variant="default"
            onClick={() => change({ room: undefined, reporter: undefined, sender: undefined })}
          >
            {i18n.t('Clear filters')}
          </Button>
        </StateMessage>
      ) : (
        <StateMessage
          icon={<IconInbox size={24} stroke={1.5} />}
          title={i18n.t('No reports')}
          description={
            <>
              {i18n.t('Nobody has reported anything on this server.')} <SampleDataHint />
            </>
          }
        />
      );
    }
    return (
      <ReportList
        key={`${server.id} ${JSON.stringify({ ...search, report: undefined })}`}
        name={`${server.id} ${JSON.stringify({ ...search, report: undefined })}`}
        reports={reports}
        total={total ?? reports.length}
        others={others}
        currentId={search.report}
        selectedIds={selection.selected}
        reviewedIds={reviewedIds}
        loadMore={loadMore}
        listRef={listElement}
        onPress={selection.press}
        onToggle={selection.toggle}
      />
    );
  }

  return (
    <Group
      className={classes.screen}
      {...('list' in layout.read() && { defaultLayout: layout.read() })}
      onLayoutChanged={(next) => layout.write(next)}
    >
      <Panel
        id="list"
        className={classes.list}
        defaultSize={410}
        minSize={260}
        maxSize="65%"
        groupResizeBehavior="preserve-pixel-size"
      >
        <h1 className={classes.hidden}>{i18n.t('Reports')}</h1>
        <ReportFilters
          search={search}
          reports={reports}
          inputRef={filterElement}
          onChange={change}
          onLeave={focusList}
        />
        <ListHeading
          query={query}
          filtered={isFiltered(search)}
          total={total}
          selection={selection}
          allReviewed={[...selection.selected].every((id) => reviewedIds.has(id))}
          onRemove={remove}
          onToggleReviewed={toggleReviewed}
        />
        {selection.selected.size > 0 && (
          <SelectionActions
            reports={reports.filter(({ id }) => selection.selected.has(id))}
            onActed={() => {
              selection.clear();
              focusList();
            }}
          />
        )}
        {listBody()}
      </Panel>
      <Separator className={classes.separator} aria-label={i18n.t('Width of the list')} />
      <Panel id="detail" className={classes.detail} minSize={300}>
        <ReportDetail
          reportId={search.report}
          detailRef={detailElement}
          reviewed={search.report !== undefined && reviewedIds.has(search.report)}
          onFilter={change}
          onOpen={(report) => open(report, 'click')}
          onRemove={remove}
          onToggleReviewed={toggleReviewed}
          onActed={() => {
            selection.move(1);
            focusList();
          }}
          selecting={selection.selected.size > 0}
        />
      </Panel>
    </Group>
  );
}
