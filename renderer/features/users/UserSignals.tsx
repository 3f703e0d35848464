/** Facts that only some servers report. Others are omitted. */
import { i18n } from '@lingui/core';
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { actionById } from '../../actions/catalogue/catalogue.ts';
import { startJob } from '../../actions/jobs/run-job.ts';
import { countedDays, featuresQuery, membershipCountsQuery, pushersQuery } from '../../api/user-signals.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { Fact } from '../../subjects/DetailSection.tsx';
import subject from '../../subjects/subjects.module.css';
import { useRoleLimit } from '../../team/use-role.ts';
import { ellipsize } from '../../words/clip.ts';

type Props = { userId: string };

/** Invites sent and rooms joined: many of either are a sign of spam. */
export function MembershipCounts({ userId }: Props) {
  const { data } = useQuery(membershipCountsQuery(useServer(), userId));
  const { invites, joins } = data ?? {};
  const name = i18n.t('Last {days} days', { days: countedDays });
  const counts = [
    invites !== undefined &&
      i18n.t('{count, plural, one {# invite sent} other {# invites sent}}', { count: invites }),
    joins !== undefined &&
      i18n.t('{count, plural, one {# room joined} other {# rooms joined}}', { count: joins }),
  ].filter((text) => text !== false);
  return <Fact name={name}>{counts.length > 0 && counts.join(' · ')}</Fact>;
}

export function PusherCount({ userId }: Props) {
  const { data } = useQuery(pushersQuery(useServer(), userId));
  if (!data) return null;
  return (
    <Fact name={i18n.t('Push notifications')}>
      {data.length === 0 ? (
        <span className={subject.dim}>{i18n.t('No pushers')}</span>
      ) : (
        <Link to="/users/$userId" params={{ userId }} search={{ part: 'pushers' }} className={subject.link}>
          {i18n.t('{count, plural, one {# pusher} other {# pushers}}', { count: data.length })}
        </Link>
      )}
    </Fact>
  );
}

/** Specifications by feature, as Synapse names them. */
const featureNames: Record<string, string> = {
  msc3575: /*i18n*/ 'Sliding sync (MSC3575)',
  msc3881: /*i18n*/ 'Remote pusher toggling (MSC3881)',
  msc4222: /*i18n*/ 'State after sync (MSC4222)',
};

export function ExperimentalFeatures({ userId }: Props) {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const { data } = useQuery(featuresQuery(server, userId));
  const limit = useRoleLimit('lead');
  const features = Object.entries(data ?? {});
  if (features.length === 0) return null;
  function set(feature: string, on: boolean) {
    const action = actionById('set-experimental-feature');
    if (!action) return;
    const answers = { reason: '', fields: { feature, on } };
    startJob({ server, queryClient, deletedReports }, { action, items: [{ kind: 'user', userId }], answers });
  }
  return (
    <Fact name={i18n.t('Experimental features')}>
      <span className={subject.stack}>
        {features.map(([feature, isOn]) => {
          const name = featureNames[feature];
          return (
            <Switch
              key={feature}
              size="xs"
              label={name === undefined ? ellipsize(feature, 100) : i18n.t(name)}
              title={limit}
              disabled={limit !== undefined}
              checked={isOn}
              onChange={(event) => set(feature, event.currentTarget.checked)}
            />
          );
        })}
      </span>
    </Fact>
  );
}
