import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { ActionBar } from '../../../actions/bar/ActionBar.tsx';
import { targetsOfFiled } from '../../../actions/report-targets.ts';
import { type FiledKind, type FiledReport, filedReports } from '../../../api/reports/filed-reports.ts';
import { offeredQuery } from '../../../api/supported-endpoints.ts';
import { SearchField } from '../../../components/table/SearchField.tsx';
import { useCommands, useServer } from '../../../console-context.ts';
import { queueCommands, triageCommands } from '../desk/commands.tsx';
import { ReportDesk } from '../desk/ReportDesk.tsx';
import { useReportDesk } from '../desk/use-report-desk.ts';
import { useReportList } from '../list/use-report-list.ts';
import type { ListSearch } from '../report-search.ts';
import { subjectsOfFiled } from '../subjects-of-report.ts';
import { FiledReportDetail } from './FiledReportDetail.tsx';
import classes from './FiledReports.module.css';
import { FiledRow } from './FiledRow.tsx';
import { type FiledReportSearch, noFilters } from './filed-report-search.ts';

export const UserReportsScreen = () => <FiledReportsScreen kind="user" from="/frame/server/reports/users" />;

export const RoomReportsScreen = () => <FiledReportsScreen kind="room" from="/frame/server/reports/rooms" />;

type FiledReportsScreenProps = {
  kind: FiledKind;
  from: '/frame/server/reports/users' | '/frame/server/reports/rooms';
};

/** User or room reports. The address holds the filters, its path the open report. */
function FiledReportsScreen({ kind, from }: FiledReportsScreenProps) {
  const server = useServer();
  const { queue, about, by, dir }: FiledReportSearch = useSearch({ from });
  const { reportId } = useParams({ strict: false });
  const currentId = reportId === undefined ? undefined : Number(reportId);
  const navigate = useNavigate();
  const isOnUsers = kind === 'user';
  const { data: offered } = useQuery({ ...offeredQuery(server), enabled: false });
  const source = useMemo(() => filedReports(server, kind, { about, by }), [server, kind, about, by]);
  const search = useMemo(
    (): ListSearch => ({
      ...(queue && { queue }),
      ...(dir === 'f' && { order: 'oldest' }),
      ...(currentId !== undefined && { report: currentId }),
    }),
    [queue, dir, currentId],
  );
  const list = useReportList(source, search);

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
  const clearFilters = () => change(noFilters);

  const desk = useReportDesk({
    list,
    rows: list.rows,
    open,
    subjectsOf: (report: FiledReport) => subjectsOfFiled(kind, report),
  });
  const { selection, triage } = desk;

  useCommands([
    ...triageCommands({
      ...desk.keys,
      clearFilters: source.isFiltered ? () => void clearFilters() : undefined,
    }),
    ...queueCommands(queue, change),
  ]);

  return (
    <ReportDesk
      title={isOnUsers ? i18n.t('User reports') : i18n.t('Room reports')}
      list={list}
      desk={desk}
      onChange={change}
      onClearFilters={clearFilters}
      filters={
        <search className={classes.filters} aria-label={i18n.t('Filters')}>
          <SearchField
            label={isOnUsers ? i18n.t('Reported user ID') : i18n.t('Reported room ID')}
            value={about}
            inputRef={desk.panes.filterElement}
            onChange={(about) => change({ about })}
          />
          <SearchField label={i18n.t("Reporter's user ID")} value={by} onChange={(by) => change({ by })} />
        </search>
      }
      tools={<OrderButton dir={dir} onChange={change} />}
      actions={(onActed) => <ActionBar on={targetsOfFiled(kind, selection.reports)} onActed={onActed} />}
      Row={FiledRow}
      none={
        isOnUsers ? i18n.t('This server has no user reports.') : i18n.t('This server has no room reports.')
      }
      notOffered={
        isOnUsers
          ? i18n.t("This server doesn't support user reports")
          : offered?.has('reportRoom')
            ? i18n.t("This server accepts room reports but doesn't list them")
            : i18n.t("This server doesn't support room reports")
      }
      notOfferedWhy={
        !isOnUsers && offered?.has('reportRoom')
          ? i18n.t('Synapse stores them in its database, in the table room_reports.')
          : undefined
      }
    >
      <FiledReportDetail
        key={currentId}
        kind={kind}
        id={currentId ?? 0}
        state={desk.stateOf(currentId)}
        onMark={(...how) => currentId !== undefined && triage.toggle([currentId], ...how)}
        onActed={desk.openNext}
        selecting={selection.selected.size > 0}
      />
    </ReportDesk>
  );
}

type OrderButtonProps = {
  dir: FiledReportSearch['dir'];
  onChange: (changes: Partial<FiledReportSearch>) => unknown;
};

function OrderButton({ dir, onChange }: OrderButtonProps) {
  const isOldest = dir === 'f';
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={isOldest ? <IconSortAscending size={14} /> : <IconSortDescending size={14} />}
      onClick={() => onChange({ dir: isOldest ? undefined : 'f' })}
    >
      {isOldest ? i18n.t('Oldest first') : i18n.t('Newest first')}
    </Button>
  );
}
