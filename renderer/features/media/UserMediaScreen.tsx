import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { inSentence } from '../../actions/name-in-sentence.ts';
import {
  allUserMediaQuery,
  mostLookedThrough,
  ownAddress,
  type UserMediaOrder,
  userMediaList,
} from '../../api/media.ts';
import { byteSize } from '../../components/byte-size.ts';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/paged-rows.ts';
import { useRowSelection } from '../../components/table/row-selection.ts';
import { wholeRows } from '../../components/table/whole-rows.ts';
import { useServer } from '../../console-context.ts';
import { PersonChip } from '../../subjects/chips.tsx';
import { number } from '../../words/format.ts';
import classes from './Media.module.css';
import { type MediumRow, mediaColumns } from './media-columns.tsx';
import type { UploadsSearch } from './media-search.ts';
import { knownOf } from './medium-states.ts';
import { isFiltered, noFilters, sieve } from './sieve.ts';
import { UploadsFilters } from './UploadsFilters.tsx';
import { ofUserMedia } from './whole-actions.ts';

/** Everything that somebody uploaded. The server orders it; filters look through it here. */
export function UserMediaScreen() {
  const server = useServer();
  const { userId } = useParams({ from: '/frame/server/media/users/$userId' });
  const address = useSearch({ from: '/frame/server/media/users/$userId' });
  const navigate = useNavigate({ from: '/media/users/$userId' });
  const change = (changes: Partial<UploadsSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });

  const sort = { order: (address.order ?? 'created_ts') as UserMediaOrder, dir: address.dir ?? 'b' } as const;
  const filtered = isFiltered(address);
  const paged = usePagedRows(userMediaList(server, userId, sort));
  const all = useQuery({ ...allUserMediaQuery(server, userId), enabled: filtered });
  const { order, dir } = sort;
  const found = useMemo(
    () => (filtered && all.data ? sieve(all.data.media, address, { order, dir }) : undefined),
    [filtered, all.data, address, order, dir],
  );
  const rows = filtered ? wholeRows(all, JSON.stringify([server.id, userId, address]), found) : paged;
  const selection = useRowSelection(rows.name);
  const columns = useMemo(mediaColumns, []);

  const shown = {
    ...rows,
    at: (index: number): MediumRow | undefined => {
      const medium = rows.at(index);
      return medium && { medium, uri: ownAddress(server, medium.media_id) };
    },
    async read(...range: Parameters<typeof rows.read>): Promise<MediumRow[]> {
      const media = await rows.read(...range);
      return media.map((medium) => ({ medium, uri: ownAddress(server, medium.media_id) }));
    },
  };
  const [only] = selection.selected.size === 1 ? selection.selected : [];
  const known = useMemo(() => {
    if (only === undefined) return undefined;
    for (let index = 0; index < (rows.total ?? 0); index++) {
      const medium = rows.at(index);
      if (medium && ownAddress(server, medium.media_id) === only) return knownOf(medium);
    }
    return undefined;
  }, [only, rows, server]);

  return (
    <ListScreen
      id="media-of-user"
      title={i18n.t('Media of {user}', { user: inSentence(userId) })}
      columns={columns}
      rows={shown}
      idOf={({ uri }) => uri}
      sort={sort}
      onSort={({ order: by, dir: to }) => change({ order: by as UserMediaOrder, dir: to })}
      selection={selection}
      search={{
        label: i18n.t('Search names and types'),
        value: address.text,
        onChange: (text) => change({ text }),
      }}
      filters={<UploadsFilters address={address} onChange={change} />}
      isFiltered={filtered}
      onClear={() => change(noFilters)}
      above={
        <div className={classes.strip}>
          <PersonChip kind={i18n.t('Uploader')} id={userId} />
          {found && (
            <output aria-label={i18n.t('How large they are')}>
              {byteSize(found.reduce((sum, { media_length }) => sum + (media_length ?? 0), 0))}
            </output>
          )}
          {all.data && filtered && all.data.total > all.data.media.length && (
            <span className={classes.quiet}>
              {i18n.t('Among the newest {most} of {total} uploads', {
                most: number(mostLookedThrough),
                total: number(all.data.total),
              })}
            </span>
          )}
          <ActionBar
            on={{ users: [{ userId }] }}
            only={ofUserMedia}
            quiet={selection.selected.size > 0}
            onActed={rows.refetch}
          />
        </div>
      }
      countOf={(count) =>
        i18n.t('{count, plural, one {{shown} upload} other {{shown} uploads}}', {
          count,
          shown: number(count),
        })
      }
      words={{
        loading: filtered ? i18n.t('Looking through the uploads…') : i18n.t('Loading the uploads…'),
        failed: i18n.t('The uploads could not be loaded'),
        none: i18n.t('No uploads'),
        noneNote: i18n.t('This user has uploaded nothing, or nothing is left of it.'),
        noneMatches: i18n.t('No upload matches'),
      }}
      actions={
        <ActionBar
          on={{ media: [...selection.selected].map((uri) => ({ uri, of: { userId } })) }}
          {...(known && { known })}
          onActed={() => {
            selection.clear();
            rows.refetch();
          }}
        />
      }
    />
  );
}
