import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { isExpected } from '../../api/lenient.ts';
import {
  allUserMediaQuery,
  localUri,
  type Medium,
  maxScanned,
  type UserMediaOrder,
  userMediaList,
} from '../../api/media.ts';
import { ChoiceField, DayField } from '../../components/filters/FilterFields.tsx';
import { MediaReveal } from '../../components/media/MediaReveal.tsx';
import cells from '../../components/table/cells.module.css';
import classes from '../../components/table/ListScreen.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows, type PagedRows, usePagedRows } from '../../components/table/rows.ts';
import { useServer } from '../../console-context.ts';
import { NotFound } from '../../transport/refusal.ts';
import { byteSize, number, startOfDay } from '../../words/format.ts';
import { mediaFacts } from '../media-states.ts';
import { type MediaRow, mediaColumns, mediaName } from './media-columns.tsx';
import { filterMedia, isFiltered, noFilters, type UserMediaSearch } from './media-search.ts';

type Props = {
  userId: string;
  title: string;
  /** Filters and sorting in the URL. */
  search: UserMediaSearch;
  onChange: (changes: Partial<UserMediaSearch>) => void;
  /** The owner and the actions on all of their media; left out on a page that has these. */
  ownerBar?: (isSelecting: boolean, onActed: () => void) => ReactNode;
};

/** Lists a user's media. The server sorts; filters run here. */
export function UserMediaList({ userId, title, search, onChange, ownerBar }: Props) {
  const server = useServer();
  const sort = { order: (search.order ?? 'created_ts') as UserMediaOrder, dir: search.dir ?? 'b' } as const;
  const filtered = isFiltered(search);
  const paged = usePagedRows(userMediaList(server, userId, sort));
  const all = useQuery({ ...allUserMediaQuery(server, userId), enabled: filtered });
  const { order, dir } = sort;
  const matches = useMemo(
    () =>
      filtered && all.data
        ? filterMedia(all.data.media.filter(isExpected), search, { order, dir })
        : undefined,
    [filtered, all.data, search, order, dir],
  );
  const rows = filtered ? localRows(JSON.stringify([server.id, userId, search]), matches, all) : paged;
  const columns = useMemo(mediaColumns, []);
  const asRow = (medium: Medium): MediaRow => ({ medium, uri: localUri(server, medium.media_id) });
  const mediaRows: PagedRows<MediaRow> = {
    ...rows,
    at(index) {
      const medium = rows.at(index);
      return medium && isExpected(medium) ? asRow(medium) : medium;
    },
    read: async (...range) => (await rows.read(...range)).map(asRow),
  };
  const isCut = all.data && filtered && all.data.total > all.data.media.length;

  return (
    <MediaReveal>
      <ListScreen
        id="media-of-user"
        level={ownerBar ? 1 : 2}
        title={title}
        columns={columns}
        rows={mediaRows}
        idOf={({ uri }) => uri}
        nameOf={mediaName}
        sort={sort}
        onSort={({ order: by, dir: to }) => onChange({ order: by as UserMediaOrder, dir: to })}
        search={{
          label: i18n.t('Search names and types'),
          value: search.text,
          onChange: (text) => onChange({ text }),
        }}
        filters={<MediaFilters search={search} onChange={onChange} />}
        isFiltered={filtered}
        onClear={() => onChange(noFilters)}
        above={(isSelecting) => (
          <>
            {ownerBar && (
              <div className={classes.strip} data-one-line>
                {ownerBar(isSelecting, rows.refetch)}
              </div>
            )}
            {matches && (
              <div className={classes.strip}>
                <output aria-label={i18n.t('Total size')}>
                  {byteSize(matches.reduce((sum, { media_length }) => sum + (media_length ?? 0), 0))}
                </output>
                {isCut && (
                  <span className={cells.quiet}>
                    {i18n.t('Newest {most} of {total} files', {
                      most: number(maxScanned),
                      total: number(all.data.total),
                    })}
                  </span>
                )}
              </div>
            )}
          </>
        )}
        countOf={(count) => i18n.t('{count, plural, one {# file} other {# files}}', { count })}
        texts={{
          loading: filtered ? i18n.t('Scanning media…') : i18n.t('Loading media…'),
          loadFailed:
            rows.error instanceof NotFound ? i18n.t('User not found') : i18n.t("Couldn't load media"),
          empty: i18n.t('No media'),
          emptyNote: i18n.t('This user has no media.'),
          noMatches: i18n.t('No matching media'),
        }}
        actions={(uris, onActed) => (
          <MediaActions userId={userId} uris={uris} rows={mediaRows} onActed={onActed} />
        )}
      />
    </MediaReveal>
  );
}

type ActionsProps = {
  userId: string;
  uris: readonly string[];
  rows: PagedRows<MediaRow>;
  onActed: () => void;
};

/** Passes a single file's state, so that no-op actions are hidden. */
function MediaActions({ userId, uris, rows, onActed }: ActionsProps) {
  const [only] = uris.length === 1 ? uris : [];
  const facts = useMemo(() => {
    const { total = 0 } = rows;
    for (let index = 0; only !== undefined && index < total; index++) {
      const row = rows.at(index);
      if (row && isExpected(row) && row.uri === only) return mediaFacts(only, row.medium);
    }
    return undefined;
  }, [only, rows]);
  const on = useMemo(() => ({ media: uris.map((uri) => ({ uri, of: { userId } })) }), [uris, userId]);
  return <ActionBar on={on} {...(facts && { known: facts })} onActed={onActed} />;
}

type FilterProps = { search: UserMediaSearch; onChange: (changes: Partial<UserMediaSearch>) => void };

/** In bytes. */
const sizes = [100_000, 1_000_000, 10_000_000, 100_000_000];

/** Renders filters by type, status, size and date. */
function MediaFilters({ search, onChange }: FilterProps) {
  const { kind, state, larger, from, until } = search;
  const sizeChoices = larger === undefined || sizes.includes(larger) ? sizes : [...sizes, larger];
  const day = (value: string | undefined) => (startOfDay(value) === undefined ? undefined : value);
  return (
    <>
      <ChoiceField
        label={i18n.t('Type')}
        value={kind}
        none={i18n.t('Any type')}
        choices={[
          { value: 'image', label: i18n.t('Images') },
          { value: 'video', label: i18n.t('Videos') },
          { value: 'audio', label: i18n.t('Audio') },
          { value: 'other', label: i18n.t('Other files') },
        ]}
        onChange={(value) => onChange({ kind: value })}
      />
      <ChoiceField
        label={i18n.t('Status')}
        value={state}
        none={i18n.t('Any status')}
        choices={[
          { value: 'quarantined', label: i18n.t('Quarantined') },
          { value: 'protected', label: i18n.t('Protected') },
          { value: 'unused', label: i18n.t('Never accessed') },
        ]}
        onChange={(value) => onChange({ state: value })}
      />
      <ChoiceField
        label={i18n.t('Size')}
        value={larger === undefined ? undefined : String(larger)}
        none={i18n.t('Any size')}
        choices={sizeChoices.map((bytes) => ({
          value: String(bytes),
          label: i18n.t('Over {size}', { size: byteSize(bytes) }),
        }))}
        onChange={(value) => onChange({ larger: value === undefined ? undefined : Number(value) })}
      />
      <DayField
        label={i18n.t('Uploaded from')}
        value={from}
        onChange={(value) => onChange({ from: day(value) })}
      />
      <DayField label={i18n.t('until')} value={until} onChange={(value) => onChange({ until: day(value) })} />
    </>
  );
}
