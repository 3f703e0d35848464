import { i18n } from '@lingui/core';
import { IconServerOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import {
  type Destination,
  destinationQuery,
  destinationRoomsQuery,
  maxDestinationRooms,
} from '../../api/federation.ts';
import { roomQuery } from '../../api/room.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { useDwelledInView } from '../../components/in-view.ts';
import { StateMessage } from '../../components/LoadStates.tsx';
import { FactGroup, FactGroups, SubjectPage } from '../../components/page/SubjectPage.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useServer } from '../../console-context.ts';
import { Fact, Facts } from '../../subjects/DetailSection.tsx';
import { Loaded, LoadedScreen } from '../../subjects/Loaded.tsx';
import { RoomLink } from '../../subjects/RoomCell.tsx';
import { number } from '../../words/format.ts';
import { failureOf, hasDelivered, statusOf } from './destinations.ts';
import classes from './Federation.module.css';

export function DestinationScreen() {
  const { destination: name } = useParams({ from: '/frame/server/federation/$destination' });
  const server = useServer();
  const query = useQuery(destinationQuery(server, name));
  return (
    <LoadedScreen
      id={name}
      query={query}
      loading={i18n.t('Loading server…')}
      failed={i18n.t("Couldn't load server")}
      notFound={
        <StateMessage
          icon={<IconServerOff size={24} stroke={1.5} />}
          title={i18n.t('Server not found')}
          description={i18n.t('No contact with this server yet. Check the spelling.')}
        />
      }
    >
      {(destination) => (
        <SubjectPage
          name={name}
          id={name}
          badges={[statusOf(destination)]}
          query={query}
          actions={
            <ActionBar
              on={{ destinations: [{ destination: name, actor: server.connection.userId }] }}
              only={[...(failureOf(destination) ? ['reset-destination'] : []), 'add-server-to-policy-list']}
              onActed={() => void query.refetch()}
            />
          }
          history={null}
        >
          <FactGroups>
            <FactGroup title={i18n.t('Connection')}>
              <Connection destination={destination} />
            </FactGroup>
            <FactGroup title={i18n.t('Shared rooms')}>
              <SharedRooms name={name} />
            </FactGroup>
          </FactGroups>
        </SubjectPage>
      )}
    </LoadedScreen>
  );
}

function Connection({ destination }: { destination: Destination }) {
  const failure = failureOf(destination);
  if (!failure) {
    return (
      <p className={classes.dim}>
        {hasDelivered(destination)
          ? i18n.t('No failed attempts recorded')
          : i18n.t('No connection attempts recorded')}
      </p>
    );
  }
  const { retry_last_ts: lastRetry } = destination;
  return (
    <Facts>
      <Fact name={i18n.t('Failing since')}>
        <RelativeTime timestamp={failure.since} long />
      </Fact>
      <Fact name={i18n.t('Last retry')}>
        {lastRetry ? <RelativeTime timestamp={lastRetry} long /> : undefined}
      </Fact>
      <Fact name={i18n.t('Next retry')}>
        {failure.isDue ? i18n.t('At next send') : <RelativeTime timestamp={failure.nextRetry} long />}
      </Fact>
    </Facts>
  );
}

function SharedRooms({ name }: { name: string }) {
  const query = useQuery(destinationRoomsQuery(useServer(), name));
  return (
    <Loaded query={query} loading={i18n.t('Loading rooms…')} notFound={i18n.t('No shared rooms')}>
      {({ rooms, total }) =>
        total === 0 ? (
          <p className={classes.dim}>{i18n.t('No shared rooms')}</p>
        ) : (
          <>
            <ul className={classes.rooms}>
              {rooms.map(({ room_id: roomId }) => (
                <li key={roomId}>
                  <NamedRoom roomId={roomId} />
                </li>
              ))}
            </ul>
            {total > maxDestinationRooms && (
              <p className={classes.dim}>
                {i18n.t('and {count} more', { count: number(total - rooms.length) })}
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}

/** The server knows the names of rooms that it is in. Loads one once it is on screen. */
function NamedRoom({ roomId }: { roomId: string }) {
  const [ref, isVisible] = useDwelledInView();
  const { data } = useQuery({ ...roomQuery(useServer(), roomId), enabled: isVisible, retry: false });
  const name = data?.name || data?.canonical_alias;
  return (
    <span ref={ref} className={classes.room}>
      <RoomLink roomId={roomId} name={name} />
      {name && (
        <span className={classes.roomId}>
          <HazardText text={roomId} />
        </span>
      )}
    </span>
  );
}
