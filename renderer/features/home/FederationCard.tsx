import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import type { Offered } from '../../api/offered.ts';
import classes from './Home.module.css';
import { HomeCard } from './HomeCard.tsx';

/** Links to the federation screen if the server supports it. */
export function FederationCard({ offered }: { offered: Offered | undefined }) {
  if (!offered?.has('destinations')) return null;
  const title = i18n.t('Federation');
  return (
    <HomeCard
      title={title}
      link={
        <Link to="/federation" search={({ server }) => ({ server })} className={classes.way}>
          {title}
        </Link>
      }
    >
      <p className={classes.dim}>{i18n.t('Connection status of remote servers')}</p>
      <Link
        to="/federation"
        search={({ server }) => ({ server, order: 'retry_last_ts', dir: 'b' as const })}
        className={classes.inline}
      >
        {i18n.t('Failing servers, latest first')}
      </Link>
    </HomeCard>
  );
}
