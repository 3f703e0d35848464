import { i18n } from '@lingui/core';
import { IconBan, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listedRoomBlockQuery } from '../../api/room.ts';
import type { RoomListItem } from '../../api/room-list.ts';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { useDwelledInView } from '../../components/in-view.ts';
import { StateMark } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { useServer } from '../../console-context.ts';
import { RoomLink } from '../../subjects/RoomCell.tsx';
import { historyVisibilities, joinRules, RuleMark } from '../../subjects/room-rules.tsx';
import { LoadedUserLink } from '../../subjects/UserCell.tsx';
import { number } from '../../words/format.ts';
import classes from './Rooms.module.css';

/** Loads the block state of visible rows: room lists don't include it. */
function BlockedMark({ roomId }: { roomId: string }) {
  const server = useServer();
  const [ref, isVisible] = useDwelledInView();
  const { data: offered } = useQuery({ ...offeredQuery(server), enabled: false });
  const { data } = useQuery({
    ...listedRoomBlockQuery(server, roomId),
    enabled: isVisible && offered?.has('block') === true,
  });
  return (
    <span ref={ref}>
      {data?.block && <StateMark words={i18n.t('Blocked')} tone="danger" icon={IconBan} />}
    </span>
  );
}

const count = (value: number | null | undefined) => (typeof value === 'number' ? number(value) : '–');

/** Returns the room's name, else its main address, else its ID. */
export const roomName = ({ room_id, name, canonical_alias }: RoomListItem) =>
  name || canonical_alias || room_id;

export const roomColumns = (): Column<RoomListItem>[] => [
  {
    id: 'name',
    name: i18n.t('Room'),
    width: 260,
    order: 'name',
    cell: (room) => (
      <>
        <BlockedMark roomId={room.room_id} />
        <RoomLink roomId={room.room_id} name={room.name || room.canonical_alias} />
      </>
    ),
  },
  {
    id: 'canonical_alias',
    name: i18n.t('Main address'),
    width: 200,
    order: 'canonical_alias',
    cell: ({ canonical_alias }) =>
      canonical_alias && (
        <span className={cells.mono}>
          <HazardText text={canonical_alias} />
        </span>
      ),
  },
  {
    id: 'joined_members',
    name: i18n.t('Members'),
    width: 90,
    isNumeric: true,
    order: 'joined_members',
    descending: true,
    cell: ({ joined_members }) => count(joined_members),
  },
  {
    id: 'joined_local_members',
    name: i18n.t('Local'),
    width: 110,
    isNumeric: true,
    hiddenByDefault: true,
    order: 'joined_local_members',
    descending: true,
    cell: ({ joined_local_members }) => count(joined_local_members),
  },
  {
    id: 'state_events',
    name: i18n.t('State events'),
    width: 110,
    isNumeric: true,
    order: 'state_events',
    descending: true,
    cell: ({ state_events }) => count(state_events),
  },
  {
    id: 'encryption',
    name: i18n.t('Encrypted'),
    width: 95,
    order: 'encryption',
    cell: ({ encryption }) =>
      encryption && (
        <span title={encryption} className={classes.encrypted}>
          <IconLock size={13} aria-hidden /> {i18n.t('Yes')}
        </span>
      ),
  },
  {
    id: 'public',
    name: i18n.t('In room directory'),
    width: 130,
    order: 'public',
    descending: true,
    cell: ({ public: isPublic }) => (isPublic ? i18n.t('Yes') : ''),
  },
  {
    id: 'join_rules',
    name: i18n.t('Join rule'),
    width: 120,
    hiddenByDefault: true,
    order: 'join_rules',
    cell: ({ join_rules }) => <RuleMark rules={joinRules} rule={join_rules} />,
  },
  {
    id: 'history_visibility',
    name: i18n.t('History visibility'),
    width: 140,
    hiddenByDefault: true,
    order: 'history_visibility',
    cell: ({ history_visibility }) => <RuleMark rules={historyVisibilities} rule={history_visibility} />,
  },
  {
    id: 'version',
    name: i18n.t('Version'),
    width: 80,
    order: 'version',
    cell: ({ version }) => version && <HazardText text={version} />,
  },
  {
    id: 'creator',
    name: i18n.t('Created by'),
    width: 220,
    order: 'creator',
    cell: ({ creator }) => creator && <LoadedUserLink userId={creator} />,
  },
  {
    id: 'room_id',
    name: i18n.t('Room ID'),
    width: 240,
    hiddenByDefault: true,
    cell: ({ room_id }) => (
      <span className={cells.mono}>
        <HazardText text={room_id} />
      </span>
    ),
  },
];
