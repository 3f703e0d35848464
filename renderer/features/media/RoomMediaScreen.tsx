import { i18n } from '@lingui/core';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { inSentence } from '../../actions/items.ts';
import { type Medium, mediumQuery, parseMxcUri, roomMediaQuery } from '../../api/media.ts';
import { roomQuery } from '../../api/room.ts';
import { ChoiceField } from '../../components/FilterFields.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import listClasses from '../../components/table/ListScreen.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { useServer } from '../../console-context.ts';
import { RoomChip } from '../../subjects/chips.tsx';
import { MediaLink, mediaColumns } from '../../subjects/media/media-columns.tsx';
import { roomMediaActions } from '../../subjects/media/media-search.ts';
import { mediaFacts } from '../../subjects/media-states.ts';
import { number } from '../../words/format.ts';

/** Lists the media in a room's events. The server returns URIs; details are loaded per file. */
export function RoomMediaScreen() {
  const server = useServer();
  const { roomId } = useParams({ from: '/frame/server/media/rooms/$roomId' });
  const { of } = useSearch({ from: '/frame/server/media/rooms/$roomId' });
  const navigate = useNavigate({ from: '/media/rooms/$roomId' });
  const show = (where: typeof of) => navigate({ search: (current) => ({ ...current, of: where }) });
  const query = useQuery(roomMediaQuery(server, roomId));
  const uris = useMemo(
    () =>
      query.data && [
        ...(of === 'elsewhere' ? [] : query.data.local),
        ...(of === 'here' ? [] : query.data.remote),
      ],
    [query.data, of],
  );
  const room = useQuery(roomQuery(server, roomId)).data;
  const name = room?.name || room?.canonical_alias || undefined;
  const rows = localRows(JSON.stringify([server.id, roomId, of]), uris, query);
  const columns = useMemo(roomMediaColumns, []);

  return (
    <ListScreen
      id="media-of-room"
      title={i18n.t('Media in {room}', { room: inSentence(name ?? roomId) })}
      columns={columns}
      rows={rows}
      idOf={(uri) => uri}
      sort={{ order: '', dir: 'f' }}
      onSort={() => {}}
      filters={
        <ChoiceField
          label={i18n.t('Origin')}
          value={of}
          none={i18n.t('All servers')}
          choices={[
            { value: 'here', label: i18n.t('Local') },
            { value: 'elsewhere', label: i18n.t('Remote') },
          ]}
          onChange={show}
        />
      }
      isFiltered={of !== undefined}
      onClear={() => show(undefined)}
      above={(isSelecting) => (
        <div className={listClasses.strip}>
          <RoomChip kind={i18n.t('Room')} id={roomId} name={name} />
          <span className={cells.quiet}>{i18n.t('Excludes media in encrypted messages.')}</span>
          <ActionBar
            on={{ rooms: [{ roomId, ...(name && { name }) }] }}
            only={roomMediaActions}
            quiet={isSelecting}
            onActed={rows.refetch}
          />
        </div>
      )}
      countOf={(count) =>
        i18n.t('{count, plural, one {{shown} file} other {{shown} files}}', {
          count,
          shown: number(count),
        })
      }
      texts={{
        loading: i18n.t('Loading media…'),
        loadFailed: i18n.t("Couldn't load media"),
        empty: i18n.t('No media'),
        emptyNote: i18n.t('No unencrypted media, or the room is unknown.'),
        noMatches: i18n.t('No matches'),
      }}
      actions={(uris, onActed) => <MediaActions roomId={roomId} uris={uris} onActed={onActed} />}
    />
  );
}

type ActionsProps = { roomId: string; uris: readonly string[]; onActed: () => void };

/** Loads a single file's state, so that no-op actions are hidden. */
function MediaActions({ roomId, uris, onActed }: ActionsProps) {
  const [only] = uris.length === 1 ? uris : [];
  const one = useQuery({ ...mediumQuery(useServer(), only ?? ''), enabled: only !== undefined });
  const known = useMemo(
    () => (only === undefined ? undefined : mediaFacts(only, one.data)),
    [only, one.data],
  );
  const on = useMemo(() => ({ media: uris.map((uri) => ({ uri, of: { roomId } })) }), [uris, roomId]);
  return <ActionBar on={on} {...(known && { known })} onActed={onActed} />;
}

const detailColumns = ['media_type', 'media_length', 'created_ts', 'last_access_ts', 'quarantined_by'];

/** Returns the columns of a room's media. Details are loaded for visible rows. */
const roomMediaColumns = (): Column<string>[] => [
  {
    id: 'upload_name',
    name: i18n.t('Name'),
    width: 280,
    cell: (uri) => <Name uri={uri} />,
  },
  ...mediaColumns()
    .filter(({ id }) => detailColumns.includes(id))
    .map(
      ({ id, name, width, cell }): Column<string> => ({
        id,
        name,
        width,
        cell: (uri) => <MediaDetail uri={uri}>{(medium) => cell({ uri, medium })}</MediaDetail>,
      }),
    ),
  {
    id: 'user_id',
    name: i18n.t('Uploader'),
    width: 220,
    cell: (uri) => (
      <MediaDetail uri={uri}>
        {({ user_id }) =>
          user_id && (
            <span className={cells.mono}>
              <HazardText text={user_id} />
            </span>
          )
        }
      </MediaDetail>
    ),
  },
  {
    id: 'origin',
    name: i18n.t('Server'),
    width: 160,
    cell: (uri) => <HazardText text={parseMxcUri(uri).origin} />,
  },
];

/** Rendered before the details load: keyboard navigation needs the row's link. */
function Name({ uri }: { uri: string }) {
  const { data } = useQuery(mediumQuery(useServer(), uri));
  return <MediaLink uri={uri} medium={data} />;
}

type Props = { uri: string; children: (medium: Medium) => ReactNode };

function MediaDetail({ uri, children }: Props) {
  const { data, isPending } = useQuery(mediumQuery(useServer(), uri));
  if (data) return children(data);
  return isPending ? <Skeleton height={10} width="60%" /> : <span className={cells.quiet}>–</span>;
}
