import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { inSentence } from '../../actions/name-in-sentence.ts';
import { mediumQuery, roomMediaQuery } from '../../api/media.ts';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { useRowSelection } from '../../components/table/row-selection.ts';
import { wholeRows } from '../../components/table/whole-rows.ts';
import { useServer } from '../../console-context.ts';
import { RoomChip } from '../../subjects/chips.tsx';
import { number } from '../../words/format.ts';
import classes from './Media.module.css';
import { knownOf } from './medium-states.ts';
import { roomMediaColumns } from './room-media-columns.tsx';
import { ofRoomMedia } from './whole-actions.ts';

/** What a room's events show. The server tells the addresses, and of each upload by itself more. */
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
  const rows = wholeRows(query, JSON.stringify([server.id, roomId, of]), uris);
  const selection = useRowSelection(rows.name);
  const columns = useMemo(roomMediaColumns, []);
  const [only] = selection.selected.size === 1 ? selection.selected : [];
  const one = useQuery({ ...mediumQuery(server, only ?? ''), enabled: only !== undefined });
  const known = useMemo(() => (only === undefined ? undefined : knownOf(one.data)), [only, one.data]);

  return (
    <ListScreen
      id="media-of-room"
      title={i18n.t('Media of {room}', { room: inSentence(roomId) })}
      columns={columns}
      rows={rows}
      idOf={(uri) => uri}
      sort={{ order: '', dir: 'f' }}
      onSort={() => {}}
      selection={selection}
      filters={
        <ChoiceField
          label={i18n.t('Where they are from')}
          value={of}
          none={i18n.t('Of all servers')}
          choices={[
            { value: 'here', label: i18n.t('Of this server') },
            { value: 'elsewhere', label: i18n.t('Of other servers') },
          ]}
          onChange={show}
        />
      }
      isFiltered={of !== undefined}
      onClear={() => show(undefined)}
      above={
        <div className={classes.strip}>
          <RoomChip kind={i18n.t('Room')} id={roomId} />
          <span className={classes.quiet}>
            {i18n.t('What encrypted messages show is not known to the server.')}
          </span>
          <ActionBar
            on={{ rooms: [{ roomId }] }}
            only={ofRoomMedia}
            quiet={selection.selected.size > 0}
            onActed={rows.refetch}
          />
        </div>
      }
      countOf={(count) =>
        i18n.t('{count, plural, one {{shown} picture or file} other {{shown} pictures and files}}', {
          count,
          shown: number(count),
        })
      }
      words={{
        loading: i18n.t('Loading the room’s media…'),
        failed: i18n.t('The room’s media could not be loaded'),
        none: i18n.t('No media'),
        noneNote: i18n.t(
          'The room shows no pictures or files that the server knows of, or is not known to it.',
        ),
        noneMatches: i18n.t('None matches'),
      }}
      actions={
        <ActionBar
          on={{ media: [...selection.selected].map((uri) => ({ uri, of: { roomId } })) }}
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
