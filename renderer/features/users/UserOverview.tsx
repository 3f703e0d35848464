import { i18n } from '@lingui/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import { actionLabel } from '../../actions/action-words.ts';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import type { Identity } from '../../api/identity.ts';
import type { MasAccount } from '../../api/mas/mas.ts';
import { masIdentitiesQuery } from '../../api/mas/mas-identities.ts';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import type { User } from '../../api/user.ts';
import { rateLimitQuery } from '../../api/user-changes.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { FactGroup, FactGroups, SubjectColumns } from '../../components/page/SubjectPage.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useIsSpacious } from '../../components/use-spacious.ts';
import { useCommands, useServer } from '../../console-context.ts';
import { CaseFact } from '../../subjects/CaseFact.tsx';
import { Fact, Facts } from '../../subjects/DetailSection.tsx';
import { Loaded } from '../../subjects/Loaded.tsx';
import { RelatedAccounts } from '../../subjects/RelatedAccounts.tsx';
import { ReportsOfUser, useReportIdsOnUser } from '../../subjects/ReportCounts.tsx';
import subject from '../../subjects/subjects.module.css';
import { UserMeasures } from '../../subjects/TeamMeasures.tsx';
import { AccountAge, UserAvatar } from '../../subjects/UserDetails.tsx';
import { UserDevices } from '../../subjects/UserDevices.tsx';
import { UserMedia } from '../../subjects/UserMedia.tsx';
import { UserRooms } from '../../subjects/UserRooms.tsx';
import { Timeline } from '../../team/Timeline.tsx';
import { ellipsize } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import { DelegatedAccounts, MissingMasAccount } from './DelegatedAccounts.tsx';
import { LogInAs } from './LogInAs.tsx';
import { ExperimentalFeatures, MembershipCounts, PusherCount } from './UserSignals.tsx';

/** Memoized: its screen renders for each query and change of the team. */
export const UserOverview = memo(function UserOverview({ user }: { user: User }) {
  const userId = user.name;
  const isSpacious = useIsSpacious();
  return (
    <SubjectColumns
      history={
        <Timeline
          subject={{ kind: 'user', userId }}
          reportIds={useReportIdsOnUser(userId)}
          actionLabel={actionLabel}
        />
      }
    >
      <FactGroups>
        <FactGroup title={i18n.t('Sign-in')}>
          <Facts>
            <Fact name={i18n.t('Registered via')}>
              <Origin user={user} />
            </Fact>
            <Fact name={i18n.t('Consent')}>
              {user.consent_version && (
                <>
                  <HazardText text={ellipsize(user.consent_version, 100)} />{' '}
                  {user.consent_ts && <RelativeTime timestamp={user.consent_ts} long />}
                </>
              )}
            </Fact>
            <Fact name={i18n.t('Linked identities')}>
              {user.mas ? (
                <MasIdentities userId={userId} account={user.mas} />
              ) : (
                <Identities userId={userId} identities={identitiesOf(user)} />
              )}
              <MissingMasAccount account={user.mas} />
              <DelegatedAccounts />
            </Fact>
            <Fact name={i18n.t('Devices')}>
              <UserDevices userId={userId} />
            </Fact>
            {/* Last in their group: may appear late and mustn't push other content down. */}
            <LogInAs user={user} />
            <PusherCount userId={userId} />
            <ExperimentalFeatures userId={userId} />
          </Facts>
        </FactGroup>
        <FactGroup title={i18n.t('Account activity')}>
          <Facts>
            <AccountAge user={user} />
            <Fact name={i18n.t('Rooms')}>
              <UserRooms userId={userId} isOpen={isSpacious} />
            </Fact>
            <Fact name={i18n.t('Media')}>
              <UserMedia userId={userId} isOpen={isSpacious} />
            </Fact>
          </Facts>
        </FactGroup>
        <FactGroup title={i18n.t('Moderation')}>
          <Facts>
            <ReportsOfUser userId={userId} />
            <UserMeasures userId={userId} />
            <CaseFact subject={{ kind: 'user', userId }} />
            <UserAvatar user={user} />
            <LookAlikes userId={userId} />
            <RelatedAccounts userId={userId} />
            <RateLimit userId={userId} />
            <MembershipCounts userId={userId} />
          </Facts>
        </FactGroup>
      </FactGroups>
    </SubjectColumns>
  );
});

/** Links to the look-alike search. It scans every local user, so it needs a click. */
function LookAlikes({ userId }: { userId: string }) {
  const navigate = useNavigate();
  const label = i18n.t('Find look-alikes');
  const openLookAlikes = () => navigate({ to: '/users/look-alikes', search: { search: userId } });
  useCommands([
    {
      id: 'look-alikes',
      label,
      group: i18n.t('User'),
      keys: ['i'],
      icon: <IconUsersGroup size={17} stroke={1.6} />,
      run: openLookAlikes,
    },
  ]);
  return (
    <Fact name={i18n.t('Look-alikes')}>
      <ButtonWithIcon variant="default" size="compact-xs" icon={IconUsersGroup} onClick={openLookAlikes}>
        {label}
      </ButtonWithIcon>
    </Fact>
  );
}

function Origin({ user }: { user: User }) {
  if (user.appservice_id) {
    return (
      <>
        {i18n.t('Application service:')} <HazardText text={ellipsize(user.appservice_id, 200)} />
      </>
    );
  }
  if (user.is_guest) return i18n.t('Guest access');
  const [externalId] = user.external_ids ?? [];
  if (externalId) {
    return (
      <>
        {i18n.t('Possibly identity provider:')} <HazardText text={ellipsize(externalId.auth_provider, 200)} />
      </>
    );
  }
  return i18n.t('Local registration');
}

type IdentityRow = { identity: Identity; kind: string; text: string; addedAt?: number | null | undefined };

function identitiesOf(user: User): IdentityRow[] {
  return [
    ...(user.threepids ?? []).flatMap(({ medium, address, added_at }) =>
      medium === 'email' || medium === 'msisdn'
        ? [
            {
              identity: { medium, address } as Identity,
              kind: medium === 'email' ? i18n.t('Email') : i18n.t('Phone'),
              text: address,
              addedAt: added_at,
            },
          ]
        : [],
    ),
    ...(user.external_ids ?? []).map(({ auth_provider: provider, external_id: id }) => ({
      identity: { provider, id },
      kind: provider,
      text: id,
    })),
  ];
}

function MasIdentities({ userId, account }: { userId: string; account: MasAccount }) {
  const query = useQuery(masIdentitiesQuery(useServer(), userId, account));
  return (
    <Loaded query={query} loading={i18n.t('Loading…')} notFound={i18n.t('None')}>
      {(identities) => (
        <Identities
          userId={userId}
          identities={identities.map(({ identity, provider, addedAt }) => ({
            identity,
            kind: provider ?? i18n.t('Email'),
            text: 'address' in identity ? identity.address : identity.id,
            addedAt,
          }))}
        />
      )}
    </Loaded>
  );
}

function Identities({ userId, identities }: { userId: string; identities: IdentityRow[] }) {
  if (identities.length === 0) {
    return <span className={subject.dim}>{i18n.t('None')}</span>;
  }
  return (
    <ul className={subject.removables} aria-label={i18n.t('Linked identities')}>
      {identities.map(({ identity, kind, text, addedAt }) => (
        <li key={JSON.stringify(identity)}>
          <span>
            <span className={subject.dim}>
              <HazardText text={ellipsize(kind, 100)} />
            </span>{' '}
            <HazardText text={ellipsize(text, 300)} />{' '}
            {addedAt && (
              <span className={subject.dim}>
                {i18n.t('added')} <RelativeTime timestamp={addedAt} long />
              </span>
            )}
          </span>
          <ActionBar quiet on={{ identities: [{ userId, identity }] }} />
        </li>
      ))}
    </ul>
  );
}

function RateLimit({ userId }: { userId: string }) {
  const server = useServer();
  const offered = useQuery(offeredQuery(server)).data?.has('rateLimit') === true;
  const query = useQuery({ ...rateLimitQuery(server, userId), enabled: offered });
  if (!offered) return null;
  return (
    <Fact name={i18n.t('Rate limit')}>
      <Loaded query={query} loading={i18n.t('Loading…')} notFound={i18n.t('Unknown')}>
        {({ messages_per_second: perSecond, burst_count: burst }) => {
          if (perSecond === undefined || burst === undefined) return i18n.t('Server default');
          if (perSecond === 0) return i18n.t('Unlimited');
          return i18n.t('{perSecond} per second, burst count {burst}', {
            perSecond: number(perSecond),
            burst: number(burst),
          });
        }}
      </Loaded>
    </Fact>
  );
}
