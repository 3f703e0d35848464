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

/** A state longer than this, memberships included, is only asked for on request. */
const cheap = 1_000;

/** The room's state, where it is short enough to ask for it without being told to. */
export function useCheapState(room: Room) {
  const [wanted, setWanted] = useState(false);
  const isCheap = typeof room.state_events === 'number' && room.state_events <= cheap;
  const query = useQuery({ ...roomStateQuery(useServer(), room.room_id), enabled: wanted || isCheap });
  return { query, isAsked: wanted || isCheap || query.data !== undefined, ask: () => setWanted(true) };
}

type Props = { room: Room; children: (state: JsonObject[]) => ReactNode };

/** What is made of a room's state; a long one is asked for by a click. */
export function AskedState({ room, children }: Props) {
  const { query, isAsked, ask } = useCheapState(room);
  if (!isAsked) {
    return (
      <p className={classes.note}>
        {typeof room.state_events === 'number'
          ? i18n.t('{count} state events. Loading takes a while.', {
              count: number(room.state_events),
            })
          : i18n.t('Number of state events unknown.')}{' '}
        <Button variant="default" onClick={ask}>
          {i18n.t('Load state')}
        </Button>
      </p>
    );
  }
  return (
    <Loaded query={query} loading={i18n.t('Loading state…')} lines={8} gone={i18n.t('No room state')}>
      {children}
    </Loaded>
  );
}
