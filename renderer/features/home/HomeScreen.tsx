import { i18n } from '@lingui/core';
import { notifyManager, type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { offeredQuery } from '../../api/offered.ts';
import { StaleNote } from '../../components/LoadStates.tsx';
import { useServer } from '../../console-context.ts';
import { useFederationCard } from './FederationCard.tsx';
import classes from './Home.module.css';
import { byTrouble } from './HomeCard.tsx';
import { useKeysCard } from './KeysCard.tsx';
import { MediaCard } from './MediaCard.tsx';
import { useReportsCard } from './ReportsCard.tsx';
import { RoomsCard } from './RoomsCard.tsx';
import { useBackgroundCard, useTasksCard } from './TasksCard.tsx';
import { TeamCards } from './TeamCards.tsx';
import { TrendsCard } from './TrendsCard.tsx';
import { UsersCard } from './UsersCard.tsx';
import { useVersionCard } from './VersionCard.tsx';

/** Renders the overview: states on top, trouble first, and figures below. Each card loads and fails on its own. */
export function HomeScreen() {
  const { data: offered } = useQuery(offeredQuery(useServer()));
  const cards = [
    useReportsCard(offered),
    useTasksCard(),
    useBackgroundCard(),
    useFederationCard(offered),
    useKeysCard(),
    useVersionCard(),
  ].filter((card) => card !== undefined);
  return (
    <div className={classes.page}>
      <header className={classes.heading}>
        <h1 className={classes.title}>{i18n.t('Overview')}</h1>
        <StaleFigures />
      </header>
      <div className={classes.states}>{byTrouble(cards).map(({ card }) => card)}</div>
      <div className={classes.figures}>
        <UsersCard />
        <RoomsCard />
        <MediaCard />
        <TrendsCard />
        <TeamCards />
      </div>
    </div>
  );
}

const isStale = ({ state: { status, data } }: Query) => status === 'error' && data !== undefined;

/** Warns about figures that couldn't be refreshed, with the oldest one's age. */
function StaleFigures() {
  const { id } = useServer();
  const queryClient = useQueryClient();
  const cache = queryClient.getQueryCache();
  const filter = { queryKey: [id], type: 'active', predicate: isStale } as const;
  const oldest = () => cache.findAll(filter).sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)[0];
  const query = useSyncExternalStore(
    useCallback((onChange) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache]),
    oldest,
  );
  const { error, dataUpdatedAt } = query?.state ?? {};
  if (!error || dataUpdatedAt === undefined) return null;
  return <StaleNote error={error} since={dataUpdatedAt} onRetry={() => queryClient.refetchQueries(filter)} />;
}
