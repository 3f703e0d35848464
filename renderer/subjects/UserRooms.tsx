import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { roomQuery } from '../api/room.ts';
import { userQuery, userRoomsQuery } from '../api/user.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { useServer } from '../console-context.ts';
import { untilRefetch } from '../query-client.ts';
import { RoomChip } from './chips.tsx';
import { Loaded } from './Loaded.tsx';
import classes from './subjects.module.css';

const minIntervalMs = 2_000;
const maxIntervalMs = 15_000;

/** Returns a user's rooms. A deactivated user leaves them one by one: polls until none is left. */
export function useUserRooms(userId: string) {
  const server = useServer();
  const { data: user } = useQuery(userQuery(server, userId));
  return useQuery({
    ...userRoomsQuery(server, userId),
    refetchInterval: (query) =>
      user?.deactivated && query.state.data?.total
        ? Math.min(minIntervalMs + query.state.dataUpdateCount * 500, maxIntervalMs)
        : untilRefetch(query),
  });
}

/** Rooms whose names are loaded at once. */
const pageSize = 8;

/** Lists a user's rooms. */
export function UserRooms({ userId, isOpen = false }: { userId: string; isOpen?: boolean }) {
  const query = useUserRooms(userId);
  return (
    <Loaded query={query} loading={i18n.t('Loading rooms…')} notFound={i18n.t('No known rooms')}>
      {({ joined_rooms }) =>
        joined_rooms.length === 0 ? (
          <span className={classes.dim}>{i18n.t('No rooms')}</span>
        ) : (
          <Disclosure
            isOpenAtFirst={isOpen}
            label={i18n.t('{count, plural, one {# room} other {# rooms}}', {
              count: joined_rooms.length,
            })}
          >
            <Rooms roomIds={joined_rooms} />
          </Disclosure>
        )
      }
    </Loaded>
  );
}

function Rooms({ roomIds }: { roomIds: string[] }) {
  const [visibleCount, setVisibleCount] = useState(pageSize);
  return (
    <ul className={classes.entries}>
      {roomIds.slice(0, visibleCount).map((roomId) => (
        <li key={roomId}>
          <NamedRoom roomId={roomId} />
        </li>
      ))}
      {roomIds.length > visibleCount && (
        <li>
          <Button variant="subtle" size="compact-xs" onClick={() => setVisibleCount(visibleCount + pageSize)}>
            {i18n.t('Show more')}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** Renders a room by ID until its name has loaded. */
function NamedRoom({ roomId }: { roomId: string }) {
  const { data } = useQuery(roomQuery(useServer(), roomId));
  return (
    <span className={classes.countedRoom}>
      <RoomChip oneLine kind={i18n.t('Room')} id={roomId} name={data?.name ?? data?.canonical_alias} />
      {typeof data?.joined_members === 'number' && (
        <span className={classes.dim}>
          {i18n.t('{count, plural, one {# member} other {# members}}', { count: data.joined_members })}
        </span>
      )}
    </span>
  );
}
