import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { TeamEntry } from '../../shared/team/entries.ts';
import { actionLabel } from '../actions/action-words.ts';
import { type User, userQuery } from '../api/user.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { RemoteImage } from '../components/event/RemoteImage.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { type State, StateMark } from '../components/State.tsx';
import { useServer } from '../console-context.ts';
import { caseChangeSentence } from '../team/case-words.ts';
import { reportInSentence } from '../team/report-names.ts';
import { useTeam } from '../team/use-team.ts';
import { verdictName } from '../team/verdicts.ts';
import { serverName } from '../transport/server-name.ts';
import { ellipsize, shortId } from '../words/clip.ts';
import { UserChip } from './chips.tsx';
import { Fact, Facts } from './DetailSection.tsx';
import { Loaded } from './Loaded.tsx';
import { RelatedAccounts } from './RelatedAccounts.tsx';
import { ReportsOfUser, useReportIdsOnUser } from './ReportCounts.tsx';
import classes from './subjects.module.css';
import { UserDevices } from './UserDevices.tsx';
import { UserMedia } from './UserMedia.tsx';
import { UserRooms } from './UserRooms.tsx';
import { userStates } from './user-states.ts';

const UserMeasures = lazy(async () => ({ default: (await import('./TeamMeasures.tsx')).UserMeasures }));

/** Renders a user's account, reports and activity. */
export function UserDetails({ userId }: { userId: string }) {
  const { connection } = useServer();
  const isLocal = userId.endsWith(`:${serverName(connection)}`);
  return (
    <>
      {isLocal ? <Account userId={userId} /> : <RemoteUser userId={userId} />}
      <UserActivity userId={userId} isLocal={isLocal} />
    </>
  );
}

/** Renders a user's reports and team history; for local users, also rooms, devices and media. */
function UserActivity({ userId, isLocal }: { userId: string; isLocal: boolean }) {
  return (
    <Facts>
      <ReportsOfUser userId={userId} />
      <Fact name={i18n.t('Team')}>
        <EarlierActions userId={userId} />
      </Fact>
      <Suspense>
        <UserMeasures userId={userId} />
      </Suspense>
      {isLocal && (
        <>
          <Fact name={i18n.t('Rooms')}>
            <UserRooms userId={userId} />
          </Fact>
          <Fact name={i18n.t('Devices')}>
            <UserDevices userId={userId} />
          </Fact>
          <Fact name={i18n.t('Media')}>
            <UserMedia userId={userId} />
          </Fact>
          <RelatedAccounts userId={userId} />
        </>
      )}
    </Facts>
  );
}

function RemoteUser({ userId }: { userId: string }) {
  const colon = userId.indexOf(':');
  return (
    <>
      <Facts>
        <Fact name={i18n.t('User ID')}>
          <UserChip kind={i18n.t('Sender')} id={userId} />
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
      notFound={i18n.t('No such local account.')}
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
  const states = userStates(user, { entries, ownServer: serverName(connection) });
  const active: State = { words: i18n.t('Active'), tone: 'success', icon: IconCircleCheck };
  return (
    <ul className={classes.badges} aria-label={i18n.t('Account status')}>
      {(states.length > 0 ? states : [active]).map((state) => (
        <li key={state.words}>
          <StateMark {...state} />
        </li>
      ))}
    </ul>
  );
}

function AccountFacts({ user }: { user: User }) {
  return (
    <Facts>
      <Fact name={i18n.t('User ID')}>
        <UserChip kind={i18n.t('Account')} id={user.name} name={user.displayname} />
      </Fact>
      <AccountAge user={user} />
      <UserAvatar user={user} />
    </Facts>
  );
}

export function AccountAge({ user: { creation_ts: created, last_seen_ts: seen } }: { user: User }) {
  return (
    <>
      <Fact name={i18n.t('Created')}>
        {/* Seconds, unlike other times; some versions send milliseconds. */}
        {created && <RelativeTime timestamp={created < 1e11 ? created * 1000 : created} long />}
      </Fact>
      <Fact name={i18n.t('Last seen')}>
        {seen ? <RelativeTime timestamp={seen} long /> : i18n.t('Never or unknown')}
      </Fact>
    </>
  );
}

export const UserAvatar = ({ user: { avatar_url: uri } }: { user: User }) => (
  <Fact name={i18n.t('Avatar')}>{uri && <RemoteImage uri={uri} name={i18n.t('Avatar')} preview />}</Fact>
);

const maxListed = 30;

/** Lists earlier team actions and notes on a user. */
function EarlierActions({ userId }: { userId: string }) {
  const entries = useTeam().history([{ kind: 'user', userId }], useReportIdsOnUser(userId));
  if (entries.length === 0) {
    return <span className={classes.dim}>{i18n.t('No team actions or notes')}</span>;
  }
  return (
    <Disclosure
      label={i18n.t('{count, plural, one {# entry} other {# entries}}', { count: entries.length })}
      facts={
        <>
          {i18n.t('latest')} <RelativeTime timestamp={entries[0]?.at ?? 0} long />
        </>
      }
    >
      <ul className={classes.entries}>
        {entries.slice(0, maxListed).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no key
          <li key={index}>
            <span>{describeEntry(entry)}</span>
            <span className={classes.dim}>
              <AdminName userId={entry.by} /> · <RelativeTime timestamp={entry.at} long />
            </span>
            <span>
              <HazardText text={ellipsize(textOf(entry), 500)} />
            </span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function textOf(entry: TeamEntry): string {
  if (entry.type === 'mark' || entry.type === 'case') return '';
  return (entry.type === 'note' ? entry.text : entry.reason) ?? '';
}

function describeEntry(entry: TeamEntry): string {
  if (entry.type === 'note') return i18n.t('Note');
  if (entry.type === 'mark') {
    const { of: kind = 'report', reportId: id, state, verdict } = entry;
    const report = reportInSentence({ kind, id });
    if (state === 'escalated') return i18n.t('Escalated {report}', { report });
    if (state === 'open') return i18n.t('Reopened {report}', { report });
    return `${i18n.t('Resolved {report}', { report })}${verdict ? ` · ${verdictName(verdict)}` : ''}`;
  }
  if (entry.type === 'case') return caseChangeSentence(entry);
  const action = actionLabel(entry);
  switch (entry.outcome) {
    case 'done':
      return action;
    case 'failed':
      return i18n.t('{action} (failed)', { action });
    case 'undone':
      return i18n.t('{action} (undone)', { action });
  }
}

function AdminName({ userId }: { userId: string }) {
  const { connection } = useServer();
  return (
    <Trans
      id="by {user}"
      values={{ user: <HazardText text={ellipsize(shortId(userId, serverName(connection)))} /> }}
    />
  );
}
