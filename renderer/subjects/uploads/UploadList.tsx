import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { isExpected } from '../../api/lenient.ts';
import {
  allUserMediaQuery,
  type Medium,
  mostLookedThrough,
  ownAddress,
  type UserMediaOrder,
  userMediaList,
} from '../../api/media.ts';
import { ChoiceField, DayField } from '../../components/FilterFields.tsx';
import cells from '../../components/table/cells.module.css';
import classes from '../../components/table/ListScreen.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows, type PagedRows, usePagedRows } from '../../components/table/rows.ts';
import { useServer } from '../../console-context.ts';
import { NotFound } from '../../transport/refusal.ts';
import { byteSize, number, startOfDay } from '../../words/format.ts';
import { knownOf } from '../medium-states.ts';
import { type MediumRow, nameOf, uploadColumns } from './upload-columns.tsx';
import { isFiltered, noFilters, sieve, type UploadsSearch } from './uploads-search.ts';

type UploadListProps = {
  userId: string;
  title: string;
  /** Filters and sorting in the URL. */
  address: UploadsSearch;
  onChange: (changes: Partial<UploadsSearch>) => void;
  /** The owner and the actions on all of their media; left out on a page that has these. */
  whose?: (isSelecting: boolean, onActed: () => void) => ReactNode;
};

/** Lists a user's media. The server sorts; filters run here. */
export function UploadList({ userId, title, address, onChange, whose }: UploadListProps) {
  const server = useServer();
  const sort = { order: (address.order ?? 'created_ts') as UserMediaOrder, dir: address.dir ?? 'b' } as const;
  const filtered = isFiltered(address);
  const paged = usePagedRows(userMediaList(server, userId, sort));
  const all = useQuery({ ...allUserMediaQuery(server, userId), enabled: filtered });
  const { order, dir } = sort;
  const found = useMemo(
    () =>
      filtered && all.data ? sieve(all.data.media.filter(isExpected), address, { order, dir }) : undefined,
    [filtered, all.data, address, order, dir],
  );
  const rows = filtered ? localRows(JSON.stringify([server.id, userId, address]), found, all) : paged;
  const columns = useMemo(uploadColumns, []);
  const asRow = (medium: Medium): MediumRow => ({ medium, uri: ownAddress(server, medium.media_id) });
  const shown: PagedRows<MediumRow> = {
    ...rows,
    at(index) {
      const medium = rows.at(index);
      return medium && isExpected(medium) ? asRow(medium) : medium;
    },
    read: async (...range) => (await rows.read(...range)).map(asRow),
  };
  const isCut = all.data && filtered && all.data.total > all.data.media.length;

  return (
    <ListScreen
      id="media-of-user"
      level={whose ? 1 : 2}
      title={title}
      columns={columns}
      rows={shown}
      idOf={({ uri }) => uri}
      nameOf={nameOf}
      sort={sort}
      onSort={({ order: by, dir: to }) => onChange({ order: by as UserMediaOrder, dir: to })}
      search={{
        label: i18n.t('Search names and types'),
        value: address.text,
        onChange: (text) => onChange({ text }),
      }}
      filters={<UploadsFilters address={address} onChange={onChange} />}
      isFiltered={filtered}
      onClear={() => onChange(noFilters)}
      above={(isSelecting) => (
        <>
          {whose && (
            <div className={classes.strip} data-one-line>
              {whose(isSelecting, rows.refetch)}
            </div>
          )}
          {found && (
            <div className={classes.strip}>
              <output aria-label={i18n.t('Total size')}>
                {byteSize(found.reduce((sum, { media_length }) => sum + (media_length ?? 0), 0))}
              </output>
              {isCut && (
                <span className={cells.quiet}>
                  {i18n.t('Newest {most} of {total} files', {
                    most: number(mostLookedThrough),
                    total: number(all.data.total),
                  })}
                </span>
              )}
            </div>
          )}
        </>
      )}
      countOf={(count) =>
        i18n.t('{count, plural, one {{shown} file} other {{shown} files}}', {
          count,
          shown: number(count),
        })
      }
      texts={{
        loading: filtered ? i18n.t('Scanning media…') : i18n.t('Loading media…'),
        loadFailed: rows.error instanceof NotFound ? i18n.t('User not found') : i18n.t("Couldn't load media"),
        empty: i18n.t('No media'),
        emptyNote: i18n.t('This user has no media.'),
        noMatches: i18n.t('No matching media'),
      }}
      actions={(uris, onActed) => (
        <UploadActions userId={userId} uris={uris} rows={shown} onActed={onActed} />
      )}
    />
  );
}

type ActionsProps = {
  userId: string;
  uris: readonly string[];
  rows: PagedRows<MediumRow>;
  onActed: () => void;
};

/** Passes a single file's state, so that no-op actions are hidden. */
function UploadActions({ userId, uris, rows, onActed }: ActionsProps) {
  const [only] = uris.length === 1 ? uris : [];
  const known = useMemo(() => {
    const { total = 0 } = rows;
    for (let index = 0; only !== undefined && index < total; index++) {
      const row = rows.at(index);
      if (row && isExpected(row) && row.uri === only) return knownOf(only, row.medium);
    }
    return undefined;
  }, [only, rows]);
  const on = useMemo(() => ({ media: uris.map((uri) => ({ uri, of: { userId } })) }), [uris, userId]);
  return <ActionBar on={on} {...(known && { known })} onActed={onActed} />;
}

type Props = { address: UploadsSearch; onChange: (changes: Partial<UploadsSearch>) => void };

/** In bytes. */
const sizes = [100_000, 1_000_000, 10_000_000, 100_000_000];

/** Renders filters by type, status, size and date. */
function UploadsFilters({ address, onChange }: Props) {
  const { kind, state, larger, from, until } = address;
  const offered = larger === undefined || sizes.includes(larger) ? sizes : [...sizes, larger];
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
        choices={offered.map((bytes) => ({
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
