import { i18n } from '@lingui/core';
import { notifyManager, type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { offeredQuery } from '../../api/offered.ts';
import { StaleNote } from '../../components/LoadStates.tsx';
import { useServer } from '../../console-context.ts';
import { FederationCard } from './FederationCard.tsx';
import classes from './Home.module.css';
import { KeysCard } from './KeysCard.tsx';
import { MediaCard } from './MediaCard.tsx';
import { ReportsCard } from './ReportsCard.tsx';
import { RoomsCard } from './RoomsCard.tsx';
import { BackgroundCard, TasksCard } from './TasksCard.tsx';
import { UsersCard } from './UsersCard.tsx';
import { VersionCard } from './VersionCard.tsx';

/** Renders the overview. Each card loads and fails on its own, and keeps its place and size. */
export function HomeScreen() {
  const server = useServer();
  const { data: offered } = useQuery(offeredQuery(server));
  return (
    <div className={classes.page}>
      <header className={classes.heading}>
        <h1 className={classes.title}>{i18n.t('Overview')}</h1>
        <StaleFigures />
      </header>
      <div className={classes.row}>
        <VersionCard />
        <ReportsCard offered={offered} />
        <TasksCard />
        <BackgroundCard />
        <KeysCard />
      </div>
      <div className={classes.grid}>
        <UsersCard />
        <RoomsCard />
        <MediaCard />
        {/* Last, because it appears late or not at all. */}
        <FederationCard offered={offered} />
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
