import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type User, userQuery } from '../api/user.ts';
import { RemoteImage } from '../components/event/RemoteImage.tsx';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { useServer } from '../console-context.ts';
import { useTeam } from '../team/use-team.ts';
import { serverName } from '../transport/server-name.ts';
import { PersonChip } from './chips.tsx';
import { EarlierActions } from './EarlierActions.tsx';
import { Fact, Facts } from './Facts.tsx';
import { Loaded } from './Loaded.tsx';
import { ReportsOfUser } from './ReportCounts.tsx';
import classes from './subjects.module.css';
import { UserDevices } from './UserDevices.tsx';
import { UserRooms } from './UserRooms.tsx';
import { UserUploads } from './UserUploads.tsx';
import { type State, statesOf } from './user-states.ts';

/** A person: what the server knows of them, each part by itself. */
export function UserPart({ userId }: { userId: string }) {
  const { connection } = useServer();
  const isLocal = userId.endsWith(`:${serverName(connection)}`);
  return (
    <>
      {isLocal ? <Account userId={userId} /> : <Elsewhere userId={userId} />}
      <UserConnections userId={userId} isLocal={isLocal} />
    </>
  );
}

/** What a person has to do with reports, and what is theirs on the server, where they live on it. */
export function UserConnections({ userId, isLocal }: { userId: string; isLocal: boolean }) {
  return (
    <Facts>
      <ReportsOfUser userId={userId} />
      <Fact name={i18n.t('Team')}>
        <EarlierActions userId={userId} />
      </Fact>
      {isLocal && (
        <>
          <Fact name={i18n.t('Rooms')}>
            <UserRooms userId={userId} />
          </Fact>
          <Fact name={i18n.t('Devices')}>
            <UserDevices userId={userId} />
          </Fact>
          <Fact name={i18n.t('Media')}>
            <UserUploads userId={userId} />
          </Fact>
        </>
      )}
    </Facts>
  );
}

function Elsewhere({ userId }: { userId: string }) {
  const colon = userId.indexOf(':');
  return (
    <>
      <Facts>
        <Fact name={i18n.t('User ID')}>
          <PersonChip kind={i18n.t('Sender')} id={userId} />
        </Fact>
      </Facts>
      <p className={classes.none}>
        {i18n.t('Remote user on {server}. Account, devices and media are unknown here.', {
          server: colon === -1 ? userId : userId.slice(colon + 1, colon + 255),
        })}
      </p>
    </>
  );
}

function Account({ userId }: { userId: string }) {
  const server = useServer();
  const query = useQuery(userQuery(server, userId));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading account…')}
      lines={3}
      gone={i18n.t('No such local account.')}
    >
      {(user) => (
        <>
          <AccountStates user={user} />
          <AccountFacts user={user} />
        </>
      )}
    </Loaded>
  );
}

function AccountStates({ user }: { user: User }) {
  const { connection } = useServer();
  const entries = useTeam().timeline({ kind: 'user', userId: user.name });
  const states = statesOf(user, { entries, ownServer: serverName(connection) });
  const ordinary: State = { words: i18n.t('Active'), grave: false };
  return (
    <ul className={classes.badges} aria-label={i18n.t('Account status')}>
      {(states.length > 0 ? states : [ordinary]).map(({ words, grave, when }) => (
        <li key={words} data-grave={grave || undefined} title={when}>
          {words}
        </li>
      ))}
    </ul>
  );
}

/** Who it is, since when, and when it was last seen. */
export function AccountFacts({ user }: { user: User }) {
  const made = user.creation_ts;
  return (
    <Facts>
      <Fact name={i18n.t('User ID')}>
        <PersonChip kind={i18n.t('Account')} id={user.name} name={user.displayname} />
      </Fact>
      <Fact name={i18n.t('Created')}>
        {/* Seconds, where other times are milliseconds; some versions give those here, too. */}
        {made && <RelativeTime timestamp={made < 1e11 ? made * 1000 : made} long />}
      </Fact>
      <Fact name={i18n.t('Last seen')}>
        {user.last_seen_ts ? <RelativeTime timestamp={user.last_seen_ts} long /> : i18n.t('Never or unknown')}
      </Fact>
      <Fact name={i18n.t('Avatar')}>
        {user.avatar_url && <RemoteImage uri={user.avatar_url} name={i18n.t('Avatar')} preview />}
      </Fact>
    </Facts>
  );
}
