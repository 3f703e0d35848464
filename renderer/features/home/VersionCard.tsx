import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { VersionError } from '../../../shared/upgrade/version.ts';
import { serverSoftwareQuery, serverVersionQuery } from '../../api/server.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { truncate } from '../../words/clip.ts';
import classes from './Home.module.css';
import { HomeCard, type StatusCard, toneOf, Verdict } from './HomeCard.tsx';

/** Shows the server's version and the upgrade planner's verdict. */
export function useVersionCard(): StatusCard {
  const server = useServer();
  const version = useQuery(serverVersionQuery(server));
  const { data: software } = useQuery(serverSoftwareQuery(server));
  const { dialect } = server.connection;
  const tone = toneOf(version, ({ server_version }) => {
    const plan = planOf(server_version, dialect);
    return !plan ? 'neutral' : plan.direction === 'upgrade' ? 'warning' : 'success';
  });
  const card = (
    <HomeCard key="version" title={i18n.t('Version')} tone={tone} link={{ to: '/upgrade' }}>
      <Loaded
        query={version}
        loading={i18n.t('Loading version…')}
        notFound={i18n.t('Version not available')}
        lines={1}
      >
        {({ server_version }) => (
          <>
            <p className={classes.figure}>
              <HazardText text={truncate(server_version, 100)} />
              {software && (
                <span className={classes.unit}>
                  {' '}
                  <HazardText text={truncate(software, 60)} />
                </span>
              )}
            </p>
            <PlannerLine version={server_version} dialect={dialect} />
          </>
        )}
      </Loaded>
    </HomeCard>
  );
  return { tone, card };
}

/** Says whether an upgrade is available. */
function PlannerLine({ version, dialect }: { version: string; dialect: 'vendor' | 'matrix' }) {
  const plan = planOf(version, dialect);
  if (!plan) return <Verdict tone="neutral">{i18n.t('Version unknown to the planner')}</Verdict>;
  if (plan.direction !== 'upgrade') {
    return <Verdict tone="success">{i18n.t('No newer version known')}</Verdict>;
  }
  return (
    <>
      <Verdict tone="warning">{i18n.t('Version {to} available', { to: plan.to })}</Verdict>
      <ul className={classes.lines}>
        <li>
          <Link to="/upgrade" className={classes.inline}>
            {i18n.t('Show plan')}
          </Link>
        </li>
        <li>
          {i18n.t('{count, plural, one {# upgrade note} other {# upgrade notes}}', {
            count: plan.direct.notes.length,
          })}
        </li>
        {/* The last one is the target. */}
        {plan.stops.length > 1 && (
          <li>
            {i18n.t('{count, plural, one {# intermediate version} other {# intermediate versions}}', {
              count: plan.stops.length - 1,
            })}
          </li>
        )}
      </ul>
    </>
  );
}

function planOf(version: string, dialect: 'vendor' | 'matrix') {
  try {
    return planUpgrade({ from: version, dialect });
  } catch (error) {
    if (!(error instanceof VersionError)) throw error;
    return undefined;
  }
}
