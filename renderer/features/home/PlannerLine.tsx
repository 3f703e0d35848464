import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { VersionError } from '../../../shared/upgrade/version.ts';
import { useServer } from '../../console-context.ts';
import classes from './Home.module.css';
import { Verdict } from './HomeCard.tsx';

/** What the planner says of a version. */
export function PlannerLine({ version }: { version: string }) {
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
