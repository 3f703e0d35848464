import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { type Room, roomStateQuery } from '../../api/room.ts';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { number } from '../../words/format.ts';
import classes from './Rooms.module.css';

/** A larger state, which includes memberships, is loaded only on request. In events. */
const smallState = 1_000;

export const hasSmallState = ({ state_events: count }: Room) =>
  typeof count === 'number' && count <= smallState;

/** Queries the room's state; a large one only after `request`. */
export function useRoomState(room: Room) {
  const [isForced, setForced] = useState(false);
  const enabled = isForced || hasSmallState(room);
  const query = useQuery({ ...roomStateQuery(useServer(), room.room_id), enabled });
  return { query, isRequested: enabled || query.data !== undefined, request: () => setForced(true) };
}

type Props = { room: Room; children: (state: JsonObject[]) => ReactNode };

/** Renders the room's state once loaded, or a button that loads a large one. */
export function RoomStateOnRequest({ room, children }: Props) {
  const { query, isRequested, request } = useRoomState(room);
  if (!isRequested) {
    return (
      <p className={classes.note}>
        {typeof room.state_events === 'number'
          ? i18n.t('{count} state events. Loading takes a while.', {
              count: number(room.state_events),
            })
          : i18n.t('Number of state events unknown.')}{' '}
        <Button variant="default" onClick={request}>
          {i18n.t('Load state')}
        </Button>
      </p>
    );
  }
  return (
    <Loaded query={query} loading={i18n.t('Loading state…')} lines={8} notFound={i18n.t('No room state')}>
      {children}
    </Loaded>
  );
}
