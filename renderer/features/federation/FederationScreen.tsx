import { i18n } from '@lingui/core';
import { SegmentedControl } from '@mantine/core';
import { IconWorldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { allDestinationsQuery, type Destination, destinationList } from '../../api/federation.ts';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { fileTime } from '../../components/file/table-file.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { StateMessage } from '../../components/LoadStates.tsx';
import { StateMark } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows, usePagedRows } from '../../components/table/rows.ts';
import { TimeCell, timeColumn, timeColumnWidth } from '../../components/table/TimeCell.tsx';
import { useServer } from '../../console-context.ts';
import { SavedViews } from '../../team/SavedViews.tsx';
import { NoSuchEndpoint } from '../../transport/refusal.ts';
import {
  type DestinationSearch,
  failureOf,
  filterOf,
  type Reachability,
  reachabilityOf,
  statusOf,
} from './destinations.ts';

export function FederationScreen() {
  const server = useServer();
  const address = useSearch({ from: '/frame/server/federation' });
  const navigate = useNavigate({ from: '/federation' });
  const filter = filterOf(address);
  // The rail reads this from the cache to show the link here.
  useQuery(offeredQuery(server));
  const { show } = address;
  const paged = usePagedRows(destinationList(server, filter));
  // Servers can't filter by state: a filter scans the whole list.
  const all = useQuery({ ...allDestinationsQuery(server, filter), enabled: show !== undefined });
  const shown = useMemo(
    () => show && all.data?.filter((destination) => reachabilityOf(destination) === show),
    [all.data, show],
  );
  const rows =
    show === undefined ? paged : localRows(JSON.stringify([server.id, 'destinations', address]), shown, all);
  const columns = useMemo(destinationColumns, []);
  const change = (changes: Partial<DestinationSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });

  if (rows.error instanceof NoSuchEndpoint) {
    return (
      <StateMessage
        isScreen
        icon={<IconWorldOff size={24} stroke={1.5} />}
        title={i18n.t("This server doesn't list remote servers")}
        description={i18n.t('This server may be an older version or different software.')}
      />
    );
  }
  return (
    <ListScreen
      id="federation"
      views={<SavedViews list="federation" hasColumns />}
      title={i18n.t('Federation')}
      columns={columns}
      rows={rows}
      idOf={({ destination }) => destination}
      sort={filter}
      onSort={({ order, dir }) => change({ order, dir })}
      search={{
        label: i18n.t('Search servers'),
        value: address.search,
        onChange: (search) => change({ search }),
      }}
      filters={
        <SegmentedControl
          aria-label={i18n.t('Filter servers')}
          value={show ?? 'all'}
          onChange={(value) => change({ show: value === 'all' ? undefined : (value as Reachability) })}
          data={[
            { value: 'all', label: i18n.t('All') },
            { value: 'unreachable', label: i18n.t('Unreachable') },
            { value: 'reachable', label: i18n.t('Reachable') },
            { value: 'unused', label: i18n.t('Nothing sent yet') },
          ]}
        />
      }
      isFiltered={address.search !== undefined || show !== undefined}
      onClear={() => change({ search: undefined, show: undefined })}
      countOf={(count) => i18n.t('{count, plural, one {# server} other {# servers}}', { count })}
      texts={{
        loading: i18n.t('Loading servers…'),
        loadFailed: i18n.t("Couldn't load servers"),
        empty: i18n.t('No remote servers'),
        emptyNote: i18n.t('Servers appear here once a local user joins a remote room.'),
        noMatches: i18n.t('No matching servers'),
      }}
      actions={(selected, onActed) => (
        <ActionBar
          on={{
            destinations: selected.map((destination) => ({ destination, actor: server.connection.userId })),
          }}
          onActed={onActed}
        />
      )}
    />
  );
}

const destinationColumns = (): Column<Destination>[] => [
  {
    id: 'destination',
    name: i18n.t('Server'),
    width: 240,
    order: 'destination',
    cell: ({ destination }) => (
      <Link to="/federation/$destination" params={{ destination }} className={cells.id}>
        <HazardText text={destination} />
      </Link>
    ),
  },
  {
    id: 'state',
    name: i18n.t('Status'),
    width: 160,
    value: (destination) => statusOf(destination).words,
    cell: (destination) => <StateMark {...statusOf(destination)} />,
  },
  {
    id: 'failure_ts',
    name: i18n.t('Failing since'),
    width: 150,
    comfortableWidth: timeColumnWidth,
    order: 'failure_ts',
    descending: true,
    value: (destination) => fileTime(failureOf(destination)?.since),
    cell: (destination) => {
      const failure = failureOf(destination);
      return failure ? <TimeCell timestamp={failure.since} /> : '–';
    },
  },
  {
    id: 'retry_last_ts',
    name: i18n.t('Last retry'),
    width: 120,
    order: 'retry_last_ts',
    ...timeColumn(({ retry_last_ts }) => retry_last_ts),
  },
  {
    id: 'next_retry',
    name: i18n.t('Next retry'),
    width: 160,
    comfortableWidth: timeColumnWidth,
    order: 'retry_interval',
    value: (destination) => fileTime(failureOf(destination)?.nextRetry),
    cell: (destination) => {
      const failure = failureOf(destination);
      if (!failure) return '–';
      return failure.isDue ? i18n.t('At next send') : <TimeCell timestamp={failure.nextRetry} />;
    },
  },
];
