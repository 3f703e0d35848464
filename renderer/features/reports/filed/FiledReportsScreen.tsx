import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentProps, useCallback } from 'react';
import { ActionBar } from '../../../actions/bar/ActionBar.tsx';
import {
  askFiledReports,
  type FiledKind,
  type FiledReport,
  filedReportQuery,
} from '../../../api/filed-reports.ts';
import { offeredQuery } from '../../../api/offered.ts';
import { gatherReports } from '../../../api/report-walk.ts';
import { SearchField } from '../../../components/table/SearchField.tsx';
import { useCommands, useConsole, useServer } from '../../../console-context.ts';
import { number } from '../../../words/format.ts';
import { queueCommands, triageCommands } from '../desk/commands.tsx';
import { ListBody, NotInList } from '../desk/ListBody.tsx';
import { ListHeading } from '../desk/ListHeading.tsx';
import { ReportDesk } from '../desk/ReportDesk.tsx';
import { ReportList } from '../desk/ReportList.tsx';
import { SelectionBar } from '../desk/SelectionBar.tsx';
import { useReportDesk } from '../desk/use-report-desk.ts';
import { isInQueue } from '../rows/sieve.ts';
import { subjectsOfFiled } from '../subjects-of-report.ts';
import { actedOnFiled, FiledReportDetail } from './FiledReportDetail.tsx';
import classes from './FiledReports.module.css';
import { FiledRow } from './FiledRow.tsx';
import { type FiledReportSearch, isFiltered, noFilters } from './filed-report-search.ts';
import { type FiledList, useFiledLeftOut, useFiledList, useGoneFiledMarks } from './use-filed-list.ts';

/** Reports on whole users. */
export const UserReportsScreen = () => <FiledReportsScreen kind="user" from="/frame/server/reports/users" />;

/** Reports on whole rooms. */
export const RoomReportsScreen = () => <FiledReportsScreen kind="room" from="/frame/server/reports/rooms" />;

type FiledReportsScreenProps = {
  kind: FiledKind;
  from: '/frame/server/reports/users' | '/frame/server/reports/rooms';
};

/** Reports on users or on rooms: filters are in the address, and which one is open is in its path. */
function FiledReportsScreen({ kind, from }: FiledReportsScreenProps) {
  const { queryClient } = useConsole();
  const server = useServer();
  const search: FiledReportSearch = useSearch({ from });
  const { reportId } = useParams({ strict: false });
  const currentId = reportId === undefined ? undefined : Number(reportId);
  const navigate = useNavigate();
  const list = useFiledList(kind, search);
  useGoneFiledMarks(kind, currentId);
  const isOnUsers = kind === 'user';
  const { data: offered } = useQuery({ ...offeredQuery(server), enabled: false });

  const open = useCallback(
    (id: number | undefined, step: 'click' | 'key') => {
      const replace = step === 'key';
      if (id === undefined) {
        return navigate({ to: isOnUsers ? '/reports/users' : '/reports/rooms', search: true, replace });
      }
      const to = isOnUsers ? '/reports/users/$reportId' : '/reports/rooms/$reportId';
      return navigate({ to, params: { reportId: String(id) }, search: true, replace });
    },
    [navigate, isOnUsers],
  );
  const change = useCallback(
    (changes: Partial<FiledReportSearch>) =>
      navigate({ to: '.', search: (current) => ({ ...current, ...changes }) }),
    [navigate],
  );

  const desk = useReportDesk({
    of: `${kind}_report`,
    name: `${server.id} ${kind} ${JSON.stringify(search)}`,
    rows: list.rows,
    query: list.query,
    stage: list.stage,
    isMissing: list.query.isError,
    isEmpty: list.isComplete && list.rows.count === 0,
    currentId,
    queue: search.queue,
    open,
    subjectsOf: useCallback(
      (id: number) => {
        const report = queryClient.getQueryData(filedReportQuery(server, kind, id).queryKey);
        return report ? subjectsOfFiled(kind, report) : [];
      },
      [queryClient, server, kind],
    ),
    prefetch: useCallback(
      (id: number) => queryClient.prefetchQuery(filedReportQuery(server, kind, id)),
      [queryClient, server, kind],
    ),
    isShown: (id) =>
      (queryClient.getQueryState(filedReportQuery(server, kind, id).queryKey)?.status ?? 'pending') !==
      'pending',
  });
  const { selection, triage, focusList } = desk;
  const clearFilters = () => change(noFilters);
  const leftOut = useFiledLeftOut(kind, currentId, search);

  const gatherAll = () => {
    const { queue, about, by } = search;
    return gatherReports(askFiledReports(server, kind, { about, by }), (some) =>
      some.filter(({ id }) => isInQueue(queue, desk.marks.get(id))),
    );
  };
  const selectAll = async () => (list.isComplete ? selection.selectLoaded() : desk.select(gatherAll()));

  useCommands([
    ...triageCommands({
      ...desk.keys,
      selectAll,
      clearFilters: isFiltered(search) ? () => void clearFilters() : undefined,
    }),
    ...queueCommands(search.queue, change),
  ]);

  return (
    <ReportDesk
      title={isOnUsers ? i18n.t('User reports') : i18n.t('Room reports')}
      queue={search.queue}
      counts={list.counts}
      onQueue={change}
      filters={
        <search className={classes.filters} aria-label={i18n.t('Filters')}>
          <SearchField
            label={isOnUsers ? i18n.t('Reported user ID') : i18n.t('Reported room ID')}
            value={search.about}
            inputRef={desk.filterElement}
            onChange={(about) => change({ about })}
          />
          <SearchField
            label={i18n.t("Reporter's user ID")}
            value={search.by}
            onChange={(by) => change({ by })}
          />
        </search>
      }
      heading={
        selection.selected.size > 0 ? (
          <FiledSelection
            kind={kind}
            selection={selection}
            reports={selection.reports}
            total={list.matching}
            state={desk.selectedState()}
            onSelectAll={selectAll}
            onMark={triage.toggle}
            onActed={() => {
              triage.goOnAfter([...selection.selected]);
              selection.clear();
              focusList();
            }}
          />
        ) : (
          <FiledHeading
            list={list}
            onChange={change}
            onShowNew={() => desk.showNew(list.renew(), list.dir === 'b' ? 'top' : 'bottom')}
          />
        )
      }
      unexpected={list.unexpected}
      list={
        <ListBody
          {...desk.body}
          onClear={clearFilters}
          none={
            isOnUsers
              ? i18n.t('This server has no user reports.')
              : i18n.t('This server has no room reports.')
          }
          notOffered={
            isOnUsers
              ? i18n.t("This server doesn't support user reports")
              : offered?.has('reportRoom')
                ? i18n.t("This server accepts room reports but doesn't list them")
                : i18n.t("This server doesn't support room reports")
          }
        >
          <ReportList key={desk.list.name} {...desk.list} Row={FiledRow} />
        </ListBody>
      }
      openId={currentId}
      isEmpty={list.total === 0 || (list.query.isError && list.total === undefined)}
      escalation={desk.escalation}
      detailRef={desk.detailElement}
    >
      {leftOut?.report && (
        <NotInList
          by={leftOut.by}
          onClear={() => change(leftOut.by === 'filters' ? noFilters : { queue: undefined })}
        />
      )}
      <FiledReportDetail
        key={currentId}
        kind={kind}
        id={currentId ?? 0}
        state={desk.stateOf(currentId)}
        onMark={(state) => currentId !== undefined && triage.toggle([currentId], state)}
        onActed={desk.goOn}
        selecting={selection.selected.size > 0}
      />
    </ReportDesk>
  );
}

type FiledHeadingProps = {
  list: FiledList;
  onChange: (changes: Partial<FiledReportSearch>) => void;
  onShowNew: () => unknown;
};

/** How many match, how fresh that is, and their order. */
function FiledHeading({ list, onChange, onShowNew }: FiledHeadingProps) {
  const { query, dir } = list;
  const isOldest = dir === 'f';
  return (
    <ListHeading
      count={countOf(list)}
      trouble={
        query.error && query.data ? { what: i18n.t("Couldn't load more"), why: query.error } : undefined
      }
      onRetry={query.refetch}
      isFetching={query.isFetching}
      arrived={list.arrived}
      end={isOldest ? 'bottom' : 'top'}
      onShowNew={onShowNew}
    >
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        leftSection={isOldest ? <IconSortAscending size={14} /> : <IconSortDescending size={14} />}
        onClick={() => onChange({ dir: isOldest ? undefined : 'f' })}
      >
        {isOldest ? i18n.t('Oldest first') : i18n.t('Newest first')}
      </Button>
    </ListHeading>
  );
}

function countOf({ total, rows, matching }: FiledList): string | undefined {
  if (total === undefined) return undefined;
  if (matching === undefined) {
    return i18n.t('{count, plural, one {# report} other {# reports}} found', { count: rows.count });
  }
  return i18n.t('{count, plural, one {{shown} report} other {{shown} reports}}', {
    count: matching,
    shown: number(matching),
  });
}

type Props = Omit<ComponentProps<typeof SelectionBar>, 'children'> & {
  kind: FiledKind;
  reports: readonly FiledReport[];
  onActed: (how: { reviewed: boolean }) => void;
};

/** What can be done with the reports that are selected, and with whom or what they are about. */
function FiledSelection({ kind, reports, onActed, ...props }: Props) {
  return (
    <SelectionBar {...props}>
      <ActionBar on={actedOnFiled(kind, reports)} onActed={onActed} />
    </SelectionBar>
  );
}
