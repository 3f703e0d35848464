import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type Query, type QueryCache, useQuery, useQueryClient } from '@tanstack/react-query';
import { backgroundUpdatesQuery } from '../../api/background-updates.ts';
import { eventReportTotalQuery } from '../../api/reports/event-reports.ts';
import { taskCountsQuery } from '../../api/scheduled-tasks.ts';
import { serverVersionQuery } from '../../api/server.ts';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { FailureSentence, StaleNote } from '../../components/LoadStates.tsx';
import { useServer } from '../../console-context.ts';
import { useCachedValue } from '../../query-client.ts';
import { SharedFailure } from '../../subjects/Loaded.tsx';
import { failureSentence } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { useFederationCard } from './FederationCard.tsx';
import { accountsQuery, roomsQuery } from './figures.ts';
import classes from './Home.module.css';
import { byTrouble, isUnsupported } from './HomeCard.tsx';
import { useKeysCard } from './KeysCard.tsx';
import { MediaCard } from './MediaCard.tsx';
import { OldestReportsCard, useReportsCard } from './ReportsCard.tsx';
import { RoomsCard } from './RoomsCard.tsx';
import { useBackgroundCard, useTasksCard } from './TasksCard.tsx';
import { TeamCards } from './TeamCards.tsx';
import { TrendsCard } from './TrendsCard.tsx';
import { UsersCard } from './UsersCard.tsx';
import { useVersionCard } from './VersionCard.tsx';

/** Renders the overview: states on top, trouble first, and figures below. Each card loads on its own. */
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
  const failure = useSharedFailure();
  return (
    <SharedFailure value={failure}>
      <div className={classes.page}>
        <header className={classes.heading}>
          <h1 className={classes.title}>{i18n.t('Overview')}</h1>
          <StaleFigures />
        </header>
        {failure && <FailureLine error={failure} />}
        <div className={classes.states}>{byTrouble(cards).map(({ card }) => card)}</div>
        <div className={classes.figures}>
          <UsersCard />
          <div className={classes.stack}>
            <RoomsCard />
            <MediaCard />
          </div>
          <OldestReportsCard />
          <TeamCards />
          <TrendsCard />
        </div>
      </div>
    </SharedFailure>
  );
}

/** The queries that cards can't do without. */
const mainQueries = (server: Server) => [
  eventReportTotalQuery(server, {}),
  taskCountsQuery(server),
  backgroundUpdatesQuery(server),
  serverVersionQuery(server),
  accountsQuery(server),
  roomsQuery(server),
];

/** Returns the first error that several cards failed with. */
function sharedFailure(server: Server, cache: QueryCache): Error | undefined {
  const errors = mainQueries(server).flatMap(({ queryKey }) => {
    const { data, error } = cache.find({ queryKey })?.state ?? {};
    return error && data === undefined && !isUnsupported({ data, error }) ? [error] : [];
  });
  const sentences = errors.map(failureSentence);
  return errors.find((_, index) => sentences.indexOf(sentences[index] ?? '', index + 1) !== -1);
}

function useSharedFailure(): Error | undefined {
  const server = useServer();
  return useCachedValue((cache) => sharedFailure(server, cache));
}

function FailureLine({ error }: { error: Error }) {
  const { id } = useServer();
  const queryClient = useQueryClient();
  const retry = () =>
    queryClient.refetchQueries({
      queryKey: [id],
      type: 'active',
      predicate: ({ state }) => state.status === 'error',
    });
  return (
    <div className={classes.failure} role="alert">
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
      <span>
        <FailureSentence error={error} />
      </span>
      <Button variant="default" size="compact-xs" onClick={retry}>
        {i18n.t('Retry')}
      </Button>
    </div>
  );
}

const isStale = ({ state: { status, data } }: Query) => status === 'error' && data !== undefined;

/** Warns about figures that couldn't be refreshed, with the oldest one's age. */
function StaleFigures() {
  const { id } = useServer();
  const queryClient = useQueryClient();
  const filter = { queryKey: [id], type: 'active', predicate: isStale } as const;
  const query = useCachedValue(
    (cache) => cache.findAll(filter).sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)[0],
  );
  const { error, dataUpdatedAt } = query?.state ?? {};
  if (!error || dataUpdatedAt === undefined) return null;
  return <StaleNote error={error} since={dataUpdatedAt} onRetry={() => queryClient.refetchQueries(filter)} />;
}
