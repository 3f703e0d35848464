import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { mediumQuery, roomMediaQuery } from '../../api/media.ts';
import { roomQuery } from '../../api/room.ts';
import { ChoiceField } from '../../components/filters/FilterFields.tsx';
import { MediaReveal } from '../../components/media/MediaReveal.tsx';
import cells from '../../components/table/cells.module.css';
import listClasses from '../../components/table/ListScreen.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { inSentence } from '../../components/text-hazards.ts';
import { useServer } from '../../console-context.ts';
import { RoomChip } from '../../subjects/chips.tsx';
import { columnsOfUris } from '../../subjects/media/MediaDetail.tsx';
import { roomMediaActions } from '../../subjects/media/media-search.ts';
import { mediaFacts } from '../../subjects/media-states.ts';

/** Lists the media in a room's events. The server returns URIs; details are loaded per file. */
export function RoomMediaScreen() {
  const server = useServer();
  const { roomId } = useParams({ from: '/frame/server/media/rooms/$roomId' });
  const { of } = useSearch({ from: '/frame/server/media/rooms/$roomId' });
  const navigate = useNavigate({ from: '/media/rooms/$roomId' });
  const show = (where: typeof of) => navigate({ search: (current) => ({ ...current, of: where }) });
  const query = useQuery(roomMediaQuery(server, roomId));
  const files = useMemo(
    () =>
      query.data &&
      [...(of === 'elsewhere' ? [] : query.data.local), ...(of === 'here' ? [] : query.data.remote)].map(
        (uri) => ({ uri }),
      ),
    [query.data, of],
  );
  const room = useQuery(roomQuery(server, roomId)).data;
  const name = room?.name || room?.canonical_alias || undefined;
  const rows = localRows(JSON.stringify([server.id, roomId, of]), files, query);
  const columns = useMemo(roomMediaColumns, []);

  return (
    <MediaReveal>
      <ListScreen
        id="media-of-room"
        title={i18n.t('Media in {room}', { room: inSentence(name ?? roomId) })}
        columns={columns}
        rows={rows}
        idOf={({ uri }) => uri}
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
        countOf={(count) => i18n.t('{count, plural, one {# file} other {# files}}', { count })}
        texts={{
          loading: i18n.t('Loading media…'),
          loadFailed: i18n.t("Couldn't load media"),
          empty: i18n.t('No media'),
          emptyNote: i18n.t('No unencrypted media, or the room is unknown.'),
        }}
        actions={(uris, onActed) => <MediaActions roomId={roomId} uris={uris} onActed={onActed} />}
      />
    </MediaReveal>
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

const roomMediaColumns = () =>
  columnsOfUris([
    'upload_name',
    'media_type',
    'media_length',
    'created_ts',
    'last_access_ts',
    'quarantined_by',
    'user_id',
    'origin',
    'uri',
  ]);
