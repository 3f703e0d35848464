import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { isExpected } from '../../api/lenient.ts';
import { type Medium, ownAddress } from '../../api/media.ts';
import {
  allUserMediaQuery,
  mostLookedThrough,
  type UserMediaOrder,
  userMediaList,
} from '../../api/user-media.ts';
import { byteSize } from '../../components/byte-size.ts';
import cells from '../../components/table/cells.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { type PagedRows, usePagedRows } from '../../components/table/paged-rows.ts';
import { wholeRows } from '../../components/table/whole-rows.ts';
import { useServer } from '../../console-context.ts';
import { NotFound } from '../../transport/refusal.ts';
import { number } from '../../words/format.ts';
import { knownOf } from '../medium-states.ts';
import { isFiltered, noFilters, sieve } from './sieve.ts';
import classes from './UploadList.module.css';
import { UploadsFilters } from './UploadsFilters.tsx';
import { type MediumRow, nameOf, uploadColumns } from './upload-columns.tsx';
import type { UploadsSearch } from './uploads-search.ts';

type Props = {
  userId: string;
  title: string;
  /** What the address says of it. */
  address: UploadsSearch;
  onChange: (changes: Partial<UploadsSearch>) => void;
  /** Whose they are and what can be done with all of them; left out on a page that says it, and has the keys. */
  whose?: (isSelecting: boolean, onActed: () => void) => ReactNode;
};

/** Everything that somebody uploaded. The server orders it; filters look through it here. */
export function UploadList({ userId, title, address, onChange, whose }: Props) {
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
  const rows = filtered ? wholeRows(JSON.stringify([server.id, userId, address]), found, all) : paged;
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
      words={{
        loading: filtered ? i18n.t('Scanning media…') : i18n.t('Loading media…'),
        failed: rows.error instanceof NotFound ? i18n.t('User not found') : i18n.t("Couldn't load media"),
        none: i18n.t('No media'),
        noneNote: i18n.t('This user has no media.'),
        noneMatches: i18n.t('No matching media'),
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

/** Of a single one it is known what it is in already, and what would do nothing isn't offered. */
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
