import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { serverVersionQuery } from '../../api/server.ts';
import { serverSoftwareQuery } from '../../api/server-software.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { beginning } from '../../words/beginning.ts';
import classes from './Home.module.css';
import { HomeCard } from './HomeCard.tsx';
import { PlannerLine } from './PlannerLine.tsx';

// The planner brings the notes of all releases.

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
      <Loaded query={version} loading={i18n.t('Loading version…')} gone={i18n.t('Version not available')}>
        {({ server_version }) => (
          <>
            <p className={classes.figure}>
              <HazardText text={beginning(server_version, 100)} />
              {software && (
                <span className={classes.unit}>
                  {' '}
                  <HazardText text={beginning(software, 60)} />
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
