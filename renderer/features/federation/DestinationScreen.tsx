import { i18n } from '@lingui/core';
import { IconServerOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import {
  type Destination,
  destinationQuery,
  destinationRoomsQuery,
  destinationRoomsShown,
} from '../../api/federation.ts';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { SubjectPage } from '../../components/SubjectPage.tsx';
import cells from '../../components/table/cells.module.css';
import { useServer } from '../../console-context.ts';
import { DetailPart, Fact, Facts } from '../../subjects/DetailPart.tsx';
import { Loaded } from '../../subjects/Loaded.tsx';
import { NotFound } from '../../transport/refusal.ts';
import { number } from '../../words/format.ts';
import { reachedWords, unreachedOf, wasReached } from './destinations.ts';
import classes from './Federation.module.css';

/** Another server: whether it is reached, and the rooms that both are in. */
export function DestinationScreen() {
  const { destination: name } = useParams({ from: '/frame/server/federation/$destination' });
  const server = useServer();
  const query = useQuery(destinationQuery(server, name));
  if (query.isPending) return <LoadingNote text={i18n.t('Loading server…')} />;
  if (!query.data && query.error instanceof NotFound) return <NeverMet />;
  if (!query.data) {
    return (
      <FailureMessage
        isScreen
        title={i18n.t("Couldn't load server")}
        error={query.error}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const unreached = unreachedOf(query.data);
  return (
    <SubjectPage
      name={name}
      id={name}
      badges={[reachedWords(query.data)]}
      asked={query}
      actions={
        unreached && (
          <ActionBar
            on={{ destinations: [{ destination: name, actor: server.connection.userId }] }}
            onActed={() => void query.refetch()}
          />
        )
      }
      history={null}
    >
      <DetailPart title={i18n.t('Connection')} height={6}>
        <Connection destination={query.data} />
      </DetailPart>
      <DetailPart title={i18n.t('Shared rooms')} height={8}>
        <SharedRooms name={name} />
      </DetailPart>
    </SubjectPage>
  );
}

/** In the place of a server that this one never had to do with. */
const NeverMet = () => (
  <StateMessage
    isScreen
    icon={<IconServerOff size={24} stroke={1.5} />}
    title={i18n.t('Server not found')}
    description={i18n.t('No contact with this server yet. Check the spelling.')}
  />
);

function Connection({ destination }: { destination: Destination }) {
  const unreached = unreachedOf(destination);
  if (!unreached) {
    return (
      <p className={classes.dim}>
        {wasReached(destination)
          ? i18n.t('No failed attempts recorded')
          : i18n.t('No connection attempts recorded')}
      </p>
    );
  }
  const { retry_last_ts: last } = destination;
  return (
    <Facts>
      <Fact name={i18n.t('Failing since')}>
        <RelativeTime timestamp={unreached.since} long />
      </Fact>
      <Fact name={i18n.t('Last retry')}>{last ? <RelativeTime timestamp={last} long /> : undefined}</Fact>
      <Fact name={i18n.t('Next retry')}>
        {unreached.isDue ? i18n.t('At next send') : <RelativeTime timestamp={unreached.nextTry} long />}
      </Fact>
    </Facts>
  );
}

function SharedRooms({ name }: { name: string }) {
  const query = useQuery(destinationRoomsQuery(useServer(), name));
  return (
    <Loaded query={query} loading={i18n.t('Loading rooms…')} gone={i18n.t('No shared rooms')}>
      {({ rooms, total }) =>
        total === 0 ? (
          <p className={classes.dim}>{i18n.t('No shared rooms')}</p>
        ) : (
          <>
            <ul className={classes.rooms}>
              {rooms.map(({ room_id: roomId }) => (
                <li key={roomId}>
                  <Link
                    to="/rooms/$roomId"
                    params={{ roomId }}
                    search={({ server }) => ({ server })}
                    className={cells.id}
                  >
                    <HazardText text={roomId} />
                  </Link>
                </li>
              ))}
            </ul>
            {total > destinationRoomsShown && (
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
