import { i18n } from '@lingui/core';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { isExpected } from '../../api/lenient.ts';
import { mediaStatistics, type StatisticsFilter, type UserTotal } from '../../api/media.ts';
import { DayField, RecentDays } from '../../components/filters/FilterFields.tsx';
import { MediaReveal } from '../../components/media/MediaReveal.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/rows.ts';
import { SizeBar } from '../../components/table/SizeBar.tsx';
import { useServer } from '../../console-context.ts';
import { userMediaActions } from '../../subjects/media/media-search.ts';
import { UserId, UserName } from '../../subjects/UserCell.tsx';
import { SavedViews } from '../../team/SavedViews.tsx';
import { byteSize, endOfDay, number, startOfDay } from '../../words/format.ts';
import highlights from './FileHighlights.module.css';
import { LargestFiles, RecentFiles } from './FileHighlights.tsx';
import classes from './Media.module.css';
import { MediaNavigation } from './MediaNavigation.tsx';
import { type MediaFigures, mediaFiguresQuery } from './media-figures.ts';
import { comparedUsers, recentUploadersQuery } from './media-highlights.ts';
import { type TotalsSearch, totalsFilterOf } from './media-search.ts';

/**
 * Lists users with media, by size, below the figures of all media.
 *
 * @param asksRecent whether to load recent uploaders, for which the server may scan all media again
 */
export function MediaTotals({ asksRecent }: { asksRecent: boolean }) {
  const server = useServer();
  const search = useSearch({ from: '/frame/server/media' });
  const navigate = useNavigate({ from: '/media' });
  const change = (changes: Partial<TotalsSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const filter = totalsFilterOf(search);
  const rows = usePagedRows(mediaStatistics(server, filter));
  const { from, until } = search;
  const isBySize = filter.order === 'media_length' && filter.dir === 'b';
  const top = isBySize ? rows.at(0) : undefined;
  const mostBytes = top && isExpected(top) ? top.media_length : undefined;
  const columns = useMemo(() => totalsColumns({ from, until }, mostBytes), [from, until, mostBytes]);
  const isFiltered = [search.search, from, until].some((value) => value !== undefined);

  return (
    <MediaReveal>
      <ListScreen
        id="media-by-user"
        views={<SavedViews list="media-by-user" hasColumns />}
        page={{
          title: i18n.t('Media'),
          actions: <MediaNavigation />,
          overview: <Overview asksRecent={asksRecent} />,
        }}
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
            <RecentDays
              label={i18n.t('Upload period')}
              none={i18n.t('Any time')}
              value={until === undefined ? from : ''}
              onChange={(day) => change({ from: day, until: undefined })}
            />
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
        countOf={(count) => i18n.t('{count, plural, one {# uploader} other {# uploaders}}', { count })}
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
    </MediaReveal>
  );
}

/** Renders the totals, and the newest and largest files; nothing on a server without media. */
function Overview({ asksRecent }: { asksRecent: boolean }) {
  const server = useServer();
  const figures = useQuery(mediaFiguresQuery(server));
  const recent = useQuery({ ...recentUploadersQuery(server), enabled: asksRecent });
  const largest = figures.data?.largest.slice(0, comparedUsers);
  const ofLargest = i18n.t('of the largest uploaders');
  // The list below shows why it failed, or that there is none.
  if (figures.error && !figures.data) return null;
  if (figures.data?.uploaders === 0) return null;
  return (
    <>
      <Figures figures={figures.data} />
      <div className={highlights.overview}>
        <RecentFiles
          title={i18n.t('Recent uploads')}
          note={asksRecent ? '' : ofLargest}
          userIds={asksRecent ? recent.data : largest}
          error={asksRecent ? recent.error : figures.error}
        />
        <LargestFiles
          title={i18n.t('Largest files')}
          note={ofLargest}
          userIds={largest}
          error={figures.error}
        />
      </div>
    </>
  );
}

/** Renders the totals of all media. */
function Figures({ figures }: { figures: MediaFigures | undefined }) {
  const atLeast = (text: string) => (figures?.isPartial ? i18n.t('Over {total}', { total: text }) : text);
  const shown: [name: string, figure: string | undefined][] = [
    [i18n.t('Total size'), figures && atLeast(byteSize(figures.bytes))],
    [i18n.t('Files'), figures && atLeast(number(figures.files))],
    [i18n.t('Uploaders'), figures && number(figures.uploaders)],
    [
      i18n.t('Average file'),
      figures && (figures.files > 0 ? byteSize(Math.round(figures.bytes / figures.files)) : '–'),
    ],
  ];
  return (
    <dl className={classes.figures} aria-label={i18n.t('Totals of local media')}>
      {shown.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure ?? <Skeleton height={18} width={64} />}</dd>
        </div>
      ))}
    </dl>
  );
}

type Days = { from: string | undefined; until: string | undefined };

/**
 * @param days upload period, passed on to the user's list
 * @param mostBytes the largest size, if bars compare with it
 */
const totalsColumns = (days: Days, mostBytes: number | undefined): Column<UserTotal>[] => [
  {
    id: 'displayname',
    name: i18n.t('User'),
    width: 220,
    comfortableWidth: 320,
    order: 'displayname',
    cell: ({ user_id, displayname }) => (
      <Link
        to="/media/users/$userId"
        params={{ userId: user_id }}
        search={{ ...days }}
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
    comfortableWidth: 320,
    isMinor: true,
    order: 'user_id',
    cell: ({ user_id }) => <UserId userId={user_id} />,
  },
  {
    id: 'media_length',
    name: i18n.t('Size'),
    // Not numeric: its bars take the free space.
    width: 220,
    order: 'media_length',
    descending: true,
    cell: ({ user_id, media_length }) => (
      <Link
        to="/media/users/$userId"
        params={{ userId: user_id }}
        search={{ ...days, order: 'media_length', dir: 'b' }}
        className={classes.size}
      >
        <SizeBar share={mostBytes ? media_length / mostBytes : undefined}>{byteSize(media_length)}</SizeBar>
      </Link>
    ),
  },
  {
    id: 'media_count',
    name: i18n.t('Files'),
    width: 90,
    isNumeric: true,
    order: 'media_count',
    descending: true,
    cell: ({ media_count }) => number(media_count),
  },
  {
    id: 'average',
    name: i18n.t('Average'),
    width: 100,
    isNumeric: true,
    isMinor: true,
    value: ({ media_length, media_count }) =>
      media_count > 0 ? Math.round(media_length / media_count) : null,
    cell: ({ media_length, media_count }) =>
      media_count > 0 ? byteSize(Math.round(media_length / media_count)) : '–',
  },
];
