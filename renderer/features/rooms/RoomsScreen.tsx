import { i18n } from '@lingui/core';
import { Checkbox, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { offeredQuery } from '../../api/offered.ts';
import { roomList } from '../../api/room-list.ts';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/rows.ts';
import { useServer } from '../../console-context.ts';
import { truncate } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import { roomColumns, roomName } from './room-columns.tsx';
import { filterOf, isFiltered, noFilters, type RoomSearch } from './room-search.ts';

const listings = { all: undefined, listed: true, unlisted: false };
type Listing = keyof typeof listings;

export function RoomsScreen() {
  const server = useServer();
  // BlockedMark reads this from the cache.
  useQuery(offeredQuery(server));
  const address = useSearch({ from: '/frame/server/rooms' });
  const navigate = useNavigate({ from: '/rooms' });
  const filter = filterOf(address);
  const rows = usePagedRows(roomList(server, filter));
  const columns = useMemo(roomColumns, []);
  const change = (changes: Partial<RoomSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const listing: Listing = address.listed === undefined ? 'all' : address.listed ? 'listed' : 'unlisted';

  return (
    <ListScreen
      id="rooms"
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
          <Checkbox
            size="xs"
            label={i18n.t('Empty rooms only')}
            checked={address.empty ?? false}
            onChange={(event) => change({ empty: event.currentTarget.checked || undefined })}
          />
        </>
      }
      isFiltered={isFiltered(address)}
      onClear={() => change(noFilters)}
      countOf={(count) =>
        i18n.t('{count, plural, one {{shown} room} other {{shown} rooms}}', { count, shown: number(count) })
      }
      texts={{
        loading: i18n.t('Loading rooms…'),
        loadFailed: i18n.t("Couldn't load rooms"),
        empty: i18n.t('No rooms'),
        emptyNote: i18n.t('No local user has created or joined one.'),
        noMatches: i18n.t('No matching rooms'),
      }}
      actions={(roomIds, onActed, names) => (
        <RoomsActions roomIds={roomIds} names={names} onActed={onActed} />
      )}
    />
  );
}

/** Bounds what a saved job with thousands of rooms takes. */
const maxNameLength = 100;

type ActionsProps = {
  roomIds: readonly string[];
  names: ReadonlyMap<string, string>;
  onActed: () => void;
};

/** Memoizes the items: thousands can be selected. */
function RoomsActions({ roomIds, names, onActed }: ActionsProps) {
  const on = useMemo(() => {
    const nameOf = (roomId: string) => truncate(names.get(roomId) ?? '', maxNameLength);
    return { rooms: roomIds.map((roomId) => ({ roomId, name: nameOf(roomId) || roomId })) };
  }, [roomIds, names]);
  return <ActionBar on={on} onActed={onActed} />;
}
