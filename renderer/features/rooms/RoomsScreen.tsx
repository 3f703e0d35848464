import { i18n } from '@lingui/core';
import { SegmentedControl } from '@mantine/core';
import { IconDatabase } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type RoomListItem, roomList, roomSizesQuery } from '../../api/room-list.ts';
import { keepsRunningTotals, serverSoftwareQuery } from '../../api/server.ts';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { AddFilter, FilterChip } from '../../components/filters/FilterChips.tsx';
import { SampleDataHint } from '../../components/SampleDataHint.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/rows.ts';
import { ListScanBar, useListScan } from '../../components/table/use-list-scan.tsx';
import { useServer } from '../../console-context.ts';
import { SavedViews } from '../../team/SavedViews.tsx';
import { RoomsActions } from './RoomsActions.tsx';
import { roomColumns, roomName } from './room-columns.tsx';
import {
  filterOf,
  isFiltered,
  noFilters,
  type RoomSearch,
  type RoomTrait,
  roomTraits,
} from './room-search.ts';
import { roomSegmentFilter } from './room-segment.ts';

const listings = { all: undefined, listed: true, unlisted: false };
type Listing = keyof typeof listings;

const filterNames = (): Record<RoomTrait | 'empty', string> => ({
  empty: i18n.t('No members'),
  abandoned: i18n.t('No local members'),
  blocked: i18n.t('Blocked'),
  encrypted: i18n.t('Encrypted'),
  unencrypted: i18n.t('Not encrypted'),
  space: i18n.t('Space'),
});

export function RoomsScreen() {
  const server = useServer();
  // BlockedMark reads this from the cache.
  const { data: offered } = useQuery(offeredQuery(server));
  const address = useSearch({ from: '/frame/server/rooms' });
  const navigate = useNavigate({ from: '/rooms' });
  const filter = filterOf(address);
  const { is: traits = [] } = address;
  const setTraits = (next: readonly RoomTrait[]) => change({ is: next.length > 0 ? [...next] : undefined });
  const isScanned = traits.length > 0;
  const paged = usePagedRows(roomList(server, filter), !isScanned);
  const scan = useListScan({
    source: roomList(server, { ...filter, order: 'name', dir: 'f' }),
    filter: isScanned ? roomSegmentFilter(server, traits) : undefined,
    idOf: ({ room_id }: RoomListItem) => room_id,
    sort: filter,
  });
  const rows = isScanned ? scan.rows : paged;
  const names = filterNames();
  const columns = useMemo(roomColumns, []);
  const change = (changes: Partial<RoomSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const listing: Listing = address.listed === undefined ? 'all' : address.listed ? 'listed' : 'unlisted';

  return (
    <ListScreen
      id="rooms"
      views={<SavedViews list="rooms" hasColumns />}
      title={i18n.t('Rooms')}
      columns={columns}
      rows={rows}
      idOf={({ room_id }) => room_id}
      nameOf={roomName}
      sort={filter}
      onSort={({ order, dir }) => change({ order, dir })}
      search={{
        label: i18n.t('Search rooms'),
        value: address.search,
        onChange: (search) => change({ search }),
      }}
      filters={
        <>
          <SegmentedControl
            aria-label={i18n.t('Filter rooms')}
            value={listing}
            onChange={(value) => change({ listed: listings[value as Listing] })}
            data={[
              { value: 'all', label: i18n.t('All') },
              { value: 'listed', label: i18n.t('In room directory') },
              { value: 'unlisted', label: i18n.t('Not in room directory') },
            ]}
          />
          {address.empty && <FilterChip label={names.empty} onRemove={() => change({ empty: undefined })} />}
          {traits.map((trait) => (
            <FilterChip
              key={trait}
              label={names[trait]}
              onRemove={() => setTraits(traits.filter((other) => other !== trait))}
            />
          ))}
          <AddFilter
            options={(['empty', ...roomTraits] as const)
              .filter((id) => (id === 'empty' ? !address.empty : !traits.includes(id)))
              .filter((id) => id !== 'blocked' || offered?.has('block'))
              .map((id) => ({ id, label: names[id] }))}
            onAdd={(id) =>
              id === 'empty' ? change({ empty: true }) : setTraits([...traits, id as RoomTrait])
            }
          />
        </>
      }
      headingActions={() => <SizesLink />}
      above={() => isScanned && <ListScanBar progress={scan.progress} />}
      {...(isScanned && { onActed: (roomIds: readonly string[]) => void scan.recheck(roomIds) })}
      isFiltered={isFiltered(address)}
      onClear={() => change(noFilters)}
      countOf={(count) => i18n.t('{count, plural, one {# room} other {# rooms}}', { count })}
      texts={{
        loading: i18n.t('Loading rooms…'),
        loadFailed: i18n.t("Couldn't load rooms"),
        empty: i18n.t('No rooms'),
        emptyNote: (
          <>
            {i18n.t('Rooms appear here once a local user creates or joins one.')} <SampleDataHint />
          </>
        ),
        noMatches: i18n.t('No matching rooms'),
      }}
      actions={(roomIds, onActed, names) => (
        <RoomsActions roomIds={roomIds} names={names} onActed={onActed} />
      )}
    />
  );
}

/** Links to the rooms by size, if the server reports any. */
function SizesLink() {
  const server = useServer();
  const { data: software } = useQuery(serverSoftwareQuery(server));
  const { data: sizes } = useQuery({
    ...roomSizesQuery(server),
    enabled: software !== undefined && !keepsRunningTotals(software),
  });
  if (!sizes || sizes.length === 0) return null;
  return (
    <ButtonWithIcon
      variant="default"
      icon={IconDatabase}
      renderRoot={(props) => <Link to="/rooms/by-size" {...props} />}
    >
      {i18n.t('Rooms by size')}
    </ButtonWithIcon>
  );
}
