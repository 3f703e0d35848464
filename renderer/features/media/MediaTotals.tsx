import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconArrowUpRight, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { mediaStatistics, type StatisticsFilter, type UserTotal } from '../../api/media.ts';
import { roomOfAlias } from '../../api/room-list.ts';
import { DayField } from '../../components/FilterFields.tsx';
import { parseMediaUri } from '../../components/pasted-id.ts';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/rows.ts';
import { useCommands, useServer } from '../../console-context.ts';
import { userMediaActions } from '../../subjects/media/media-search.ts';
import { UserId, UserName } from '../../subjects/UserCell.tsx';
import { failureSentence } from '../../transport/refusal.ts';
import { byteSize, endOfDay, number, startOfDay } from '../../words/format.ts';
import classes from './Media.module.css';
import { type TotalsSearch, totalsFilterOf } from './media-search.ts';
import { TotalsPlot } from './TotalsPlot.tsx';

/** Number of users in the chart. */
const plottedUsers = 10;

/** Lists users with media, by size. */
export function MediaTotals() {
  const server = useServer();
  const search = useSearch({ from: '/frame/server/media' });
  const navigate = useNavigate({ from: '/media' });
  const change = (changes: Partial<TotalsSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const filter = totalsFilterOf(search);
  const rows = usePagedRows(mediaStatistics(server, filter));
  const { from, until } = search;
  const columns = useMemo(() => totalsColumns({ from, until }), [from, until]);
  const isFiltered = [search.search, from, until].some((value) => value !== undefined);
  const isByAmount = filter.order === 'media_length' || filter.order === 'media_count';
  const topUsers = Array.from({ length: plottedUsers }, (_, index) => rows.at(index)).filter(
    (row): row is UserTotal => row !== undefined,
  );

  return (
    <ListScreen
      id="media-by-user"
      title={i18n.t('Media by user')}
      columns={columns}
      rows={rows}
      idOf={({ user_id }) => user_id}
      sort={filter}
      onSort={({ order, dir }) => change({ order: order as StatisticsFilter['order'], dir })}
      search={{
        label: i18n.t('Search users'),
        value: search.search,
        onChange: (search) => change({ search }),
      }}
      filters={
        <>
          <DayField
            label={i18n.t('Uploaded from')}
            value={from}
            onChange={(day) => change({ from: startOfDay(day) === undefined ? undefined : day })}
          />
          <DayField
            label={i18n.t('until')}
            value={until}
            onChange={(day) => change({ until: endOfDay(day) === undefined ? undefined : day })}
          />
        </>
      }
      isFiltered={isFiltered}
      onClear={() => change({ search: undefined, from: undefined, until: undefined })}
      headingActions={() => <MediaNavigation />}
      above={() =>
        isByAmount &&
        filter.dir === 'b' &&
        topUsers.length > 1 && <TotalsPlot users={topUsers} {...{ from, until }} />
      }
      countOf={(count) =>
        i18n.t('{count, plural, one {{shown} uploader} other {{shown} uploaders}}', {
          count,
          shown: number(count),
        })
      }
      texts={{
        loading: i18n.t('Loading media…'),
        loadFailed: i18n.t("Couldn't load media"),
        empty: i18n.t('No media'),
        emptyNote: i18n.t('No one has uploaded media yet.'),
        noMatches: i18n.t('No matching users'),
      }}
      actions={(selected, onActed) => (
        <ActionBar
          on={{ users: selected.map((userId) => ({ userId })) }}
          only={userMediaActions}
          onActed={onActed}
        />
      )}
    />
  );
}

/** Renders a field that opens media by user, room or URI, and the link to the clean-up. */
export function MediaNavigation() {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const server = useServer();
  const find = useMutation({ mutationFn: (alias: string) => roomOfAlias(server, alias) });
  const openRoom = (roomId: string) => navigate({ to: '/media/rooms/$roomId', params: { roomId } });

  useCommands([
    {
      id: 'open media of',
      label: i18n.t('Open user or room media'),
      group: i18n.t('Media'),
      keys: ['g'],
      icon: <IconArrowUpRight size={17} stroke={1.6} />,
      run: () => field.current?.focus(),
    },
    {
      id: 'clean up media',
      label: i18n.t('Clean up media'),
      group: i18n.t('Media'),
      icon: <IconTrash size={17} stroke={1.6} />,
      run: () => navigate({ to: '/media/clean-up' }),
    },
  ]);

  // Ignores the result if the user types on or leaves: `reset` drops the callbacks.
  const findRoom = (alias: string) =>
    find.mutate(alias, {
      onError: (error) => setError(failureSentence(error)),
      onSuccess: (roomId) =>
        roomId === undefined ? setError(i18n.t('Room alias not found')) : openRoom(roomId),
    });

  function open(event: FormEvent) {
    event.preventDefault();
    const text = typed.trim();
    const upload = parseMediaUri(text);
    if (upload) navigate({ to: '/media/uploads/$origin/$mediaId', params: upload });
    else if (/^@\S+:\S+$/.test(text)) navigate({ to: '/media/users/$userId', params: { userId: text } });
    else if (/^!\S+$/.test(text)) openRoom(text);
    else if (/^#\S+:\S+$/.test(text)) findRoom(text);
    else setError(i18n.t('Enter a user ID, room ID, alias or mxc URI.'));
  }

  return (
    <form className={classes.ways} onSubmit={open}>
      <TextInput
        ref={field}
        className={classes.way}
        aria-label={i18n.t('User, room or file')}
        placeholder="@user:… !room:… #room:… mxc://…"
        value={typed}
        error={error}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setError(undefined);
          find.reset();
        }}
        spellCheck={false}
        autoComplete="off"
      />
      <Button type="submit" variant="default" loading={find.isPending}>
        {i18n.t('Open media')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={14} stroke={1.7} aria-hidden />}
        renderRoot={(props) => <Link to="/media/clean-up" {...props} />}
      >
        {i18n.t('Clean up')}
      </Button>
    </form>
  );
}

/** @param days upload period, passed on to the user's list */
const totalsColumns = (days: {
  from: string | undefined;
  until: string | undefined;
}): Column<UserTotal>[] => [
  {
    id: 'displayname',
    name: i18n.t('User'),
    width: 220,
    order: 'displayname',
    cell: ({ user_id, displayname }) => (
      <Link
        to="/media/users/$userId"
        params={{ userId: user_id }}
        search={({ server }) => ({ server, ...days })}
        className={cells.person}
        title={user_id}
      >
        <UserName userId={user_id} name={displayname} />
      </Link>
    ),
  },
  {
    id: 'user_id',
    name: i18n.t('User ID'),
    width: 220,
    order: 'user_id',
    cell: ({ user_id }) => <UserId userId={user_id} />,
  },
  {
    id: 'media_length',
    name: i18n.t('Size'),
    width: 110,
    isNumeric: true,
    order: 'media_length',
    descending: true,
    cell: ({ media_length }) => byteSize(media_length),
  },
  {
    id: 'media_count',
    name: i18n.t('Files'),
    width: 100,
    isNumeric: true,
    order: 'media_count',
    descending: true,
    cell: ({ media_count }) => number(media_count),
  },
  {
    id: 'average',
    name: i18n.t('Average'),
    width: 110,
    isNumeric: true,
    cell: ({ media_length, media_count }) =>
      media_count > 0 ? byteSize(Math.round(media_length / media_count)) : '–',
  },
];
