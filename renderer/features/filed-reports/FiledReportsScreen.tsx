import { i18n } from '@lingui/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/ActionBar.tsx';
import type { ActedOn } from '../../actions/subject.ts';
import { type FiledKind, filedReportList } from '../../api/filed-reports.ts';
import { SisterScreens } from '../../components/SisterScreens.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/paged-rows.ts';
import { SearchField } from '../../components/table/SearchField.tsx';
import { useServer } from '../../console-context.ts';
import { number } from '../../words/format.ts';
import { filedReportColumns } from './filed-report-columns.tsx';
import { type FiledReportSearch, filterOf, isFiltered, noFilters } from './filed-report-search.ts';

/** Reports on whole users. */
export const UserReportsScreen = () => <FiledReportsScreen kind="user" from="/frame/server/reports/users" />;

/** Reports on whole rooms. */
export const RoomReportsScreen = () => <FiledReportsScreen kind="room" from="/frame/server/reports/rooms" />;

type Props = { kind: FiledKind; from: '/frame/server/reports/users' | '/frame/server/reports/rooms' };

function FiledReportsScreen({ kind, from }: Props) {
  const server = useServer();
  const address: FiledReportSearch = useSearch({ from });
  const navigate = useNavigate();
  const rows = usePagedRows(filedReportList(server, kind, filterOf(address)));
  const columns = useMemo(() => filedReportColumns(kind), [kind]);
  const change = (changes: Partial<FiledReportSearch>) =>
    navigate({ to: '.', search: (current) => ({ ...current, ...changes }) });
  const isOnUsers = kind === 'user';

  return (
    <ListScreen
      id={`${kind}-reports`}
      title={isOnUsers ? i18n.t('Reports on users') : i18n.t('Reports on rooms')}
      sisters={<SisterScreens of="reports" />}
      columns={columns}
      rows={rows}
      idOf={({ id, about }) => `${id} ${about}`}
      sort={{ order: 'received_ts', dir: address.dir ?? 'b' }}
      onSort={({ dir }) => change({ dir })}
      search={{
        label: isOnUsers ? i18n.t('Reported user, in full') : i18n.t('Reported room, in full'),
        value: address.about,
        onChange: (about) => change({ about }),
      }}
      filters={
        <SearchField
          label={i18n.t('Filed by, in full')}
          value={address.by}
          onChange={(by) => change({ by })}
        />
      }
      isFiltered={isFiltered(address)}
      onClear={() => change(noFilters)}
      countOf={(count) =>
        i18n.t('{count, plural, one {{shown} report} other {{shown} reports}}', {
          count,
          shown: number(count),
        })
      }
      words={{
        loading: i18n.t('Loading the reports…'),
        failed: i18n.t('The reports could not be loaded'),
        none: i18n.t('No reports'),
        noneNote: isOnUsers
          ? i18n.t('Nobody has reported a user as a whole.')
          : i18n.t('Nobody has reported a room as a whole.'),
        noneMatches: i18n.t('No report matches'),
      }}
      actions={(selected, onActed) => <ActionBar on={actedOn(kind, selected)} onActed={onActed} />}
    />
  );
}

/** @param selected a report's number, and whom or what it is about */
function actedOn(kind: FiledKind, selected: readonly string[]): ActedOn {
  const filed = selected.map((key) => {
    const space = key.indexOf(' ');
    return { of: kind, reportId: Number(key.slice(0, space)), about: key.slice(space + 1) };
  });
  return kind === 'user'
    ? { filed, users: filed.map(({ about: userId }) => ({ userId })) }
    : { filed, rooms: filed.map(({ about: roomId }) => ({ roomId })) };
}
