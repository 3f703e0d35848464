import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { nameOfAction } from '../../actions/action-name.ts';
import { type Room, roomQuery } from '../../api/room.ts';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { SubjectPage } from '../../components/SubjectPage.tsx';
import { useServer } from '../../console-context.ts';
import { RoomPart } from '../../subjects/RoomPart.tsx';
import { Timeline } from '../../team/Timeline.tsx';
import classes from './Rooms.module.css';

/** One room: what it is, who and what is in it, and what can be done. */
export function RoomScreen() {
  const server = useServer();
  const { roomId } = useParams({ from: '/frame/server/rooms/$roomId' });
  const query = useQuery(roomQuery(server, roomId));
  if (query.isPending) return <LoadingNote text={i18n.t('Loading the room…')} />;
  if (!query.data) {
    return (
      <FailureMessage
        isScreen
        title={i18n.t('The room could not be loaded')}
        error={query.error}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const room = query.data;
  const name = room.name || room.canonical_alias || room.room_id;
  return (
    <SubjectPage
      name={name}
      id={room.room_id}
      badges={statesOf(room)}
      actions={<ActionBar on={{ rooms: [{ roomId, name }] }} />}
      history={<Timeline subject={{ kind: 'room', roomId }} nameOfAction={nameOfAction} />}
    >
      <RoomPart roomId={roomId} sender={null} />
      <Link
        to="/media/rooms/$roomId"
        params={{ roomId }}
        search={({ server: id }) => ({ server: id })}
        className={classes.name}
      >
        {i18n.t('Pictures and files of this room')}
      </Link>
    </SubjectPage>
  );
}

function statesOf(room: Room): { words: string; grave: boolean }[] {
  return [
    { is: room.tombstoned, words: i18n.t('Replaced by another room'), grave: true },
    { is: room.joined_members === 0, words: i18n.t('Without members'), grave: true },
    { is: room.encryption, words: i18n.t('Encrypted'), grave: false },
    { is: room.public, words: i18n.t('In the public list'), grave: false },
    { is: room.room_type === 'm.space', words: i18n.t('Space'), grave: false },
  ].filter(({ is }) => Boolean(is));
}
