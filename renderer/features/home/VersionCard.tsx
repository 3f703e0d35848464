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
import { HomeCard, Verdict } from './HomeCard.tsx';

export function VersionCard() {
  const server = useServer();
  const version = useQuery(serverVersionQuery(server));
  const { data: software } = useQuery(serverSoftwareQuery(server));
  const title = i18n.t('Version');
  return (
    <HomeCard
      title={title}
      link={
        <Link to="/upgrade" className={classes.way}>
          {title}
        </Link>
      }
    >
      <Loaded query={version} loading={i18n.t('Loading version…')} notFound={i18n.t('Version not available')}>
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
            <PlannerLine version={server_version} />
          </>
        )}
      </Loaded>
    </HomeCard>
  );
}

/** Says whether an upgrade is available. */
function PlannerLine({ version }: { version: string }) {
  const { dialect } = useServer().connection;
  const plan = planOf(version, dialect);
  if (!plan) {
    return <Verdict tone="plain">{i18n.t('Version unknown to the planner')}</Verdict>;
  }
  if (plan.direction !== 'upgrade') {
    return <Verdict tone="good">{i18n.t('No newer version known')}</Verdict>;
  }
  return (
    <Verdict tone="look">
      {i18n.t('Version {to} available. Upgrade notes: {notes}. Intermediate versions: {stops}.', {
        to: plan.to,
        notes: plan.direct.notes.length,
        stops: plan.stops.length,
      })}{' '}
      <Link to="/upgrade" className={classes.inline}>
        {i18n.t('Show plan')}
      </Link>
    </Verdict>
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
