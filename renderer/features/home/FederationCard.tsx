import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  type Destination,
  type FailingDestinations,
  failingDestinationsQuery,
} from '../../api/federation.ts';
import type { Offered } from '../../api/supported-endpoints.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import type { Tone } from '../../components/State.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { truncate } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard, isUnsupported, type StatusCard, toneOf, Verdict } from './HomeCard.tsx';

const dayMs = 86_400_000;

/** Shows the number of unreachable servers. */
export function useFederationCard(offered: Offered | undefined): StatusCard | undefined {
  const isOffered = offered?.has('destinations') === true;
  const query = useQuery({ ...failingDestinationsQuery(useServer()), enabled: isOffered });
  if (!isOffered || isUnsupported(query)) return undefined;
  const tone = toneOf(query, toneOfDestinations);
  const card = (
    <HomeCard key="federation" title={i18n.t('Federation')} tone={tone} link={{ to: '/federation' }}>
      <Loaded
        query={query}
        loading={i18n.t('Loading servers…')}
        notFound={i18n.t('Not available on this server')}
        lines={1}
      >
        {({ failing, total, hasMore }) => {
          const recent = failing.filter(isRecent).sort(latestFirst);
          return (
            <>
              <Verdict isMain tone={tone ?? 'neutral'}>
                {failing.length === 0
                  ? i18n.t('No failing servers')
                  : i18n.t('{count} unreachable', { count: number(failing.length) + (hasMore ? '+' : '') })}
              </Verdict>
              {recent.length > 0 && (
                <ul className={classes.entries}>
                  {recent.slice(0, 3).map(({ destination, failure_ts: since }) => (
                    <li key={destination}>
                      <Link to="/federation/$destination" params={{ destination }} className={classes.entry}>
                        <HazardText text={truncate(destination, 100)} />
                      </Link>
                      <RelativeTime timestamp={since ?? 0} />
                    </li>
                  ))}
                </ul>
              )}
              <ul className={classes.lines}>
                {failing.length > 0 && (
                  <li>
                    <Link
                      to="/federation"
                      search={{ order: 'retry_last_ts', dir: 'b' }}
                      className={classes.inline}
                    >
                      {i18n.t('Failing servers')}
                    </Link>
                  </li>
                )}
                {recent.length > 0 && !hasMore && (
                  <li>{i18n.t('{count} since yesterday', { count: number(recent.length) })}</li>
                )}
                <li>{i18n.t('{total, plural, one {# known server} other {# known servers}}', { total })}</li>
              </ul>
            </>
          );
        }}
      </Loaded>
    </HomeCard>
  );
  return { tone, card };
}

const isRecent = ({ failure_ts: since }: { failure_ts?: number | null }) =>
  Boolean(since && since > Date.now() - dayMs);

const latestFirst = (one: Destination, other: Destination) => (other.failure_ts ?? 0) - (one.failure_ts ?? 0);

/** In a federation some servers are always gone: only new failures, and many at once, need attention. */
function toneOfDestinations({ failing, total, hasMore }: FailingDestinations): Tone {
  if (failing.length === 0) return 'success';
  const isMost = failing.length >= 3 && failing.length > total / 2;
  return isMost || (!hasMore && failing.some(isRecent)) ? 'warning' : 'neutral';
}
