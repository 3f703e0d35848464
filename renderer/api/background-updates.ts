/** Background updates of the database. Synapse's "Background Updates API". */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, Nullable } from '../../shared/api/common.ts';
import { body, type Server } from '../transport/server.ts';
import { getLeniently, readEntry, type UnexpectedEntry } from './lenient.ts';

const figure = Type.Optional(Nullable(Type.Number()));

const RunningUpdate = Type.Object({
  name: Type.String(),
  total_item_count: figure,
  total_duration_ms: figure,
  average_items_per_ms: figure,
});
export type RunningUpdate = Static<typeof RunningUpdate>;

const Status = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  current_updates: Dictionary(Type.Unknown()),
});
export type BackgroundUpdates = {
  enabled?: boolean;
  /** By database name. */
  current_updates: Record<string, RunningUpdate | UnexpectedEntry>;
};

/** Polling intervals in milliseconds, while an update runs and otherwise. */
const runningIntervalMs = 2_000;
const idleIntervalMs = 20_000;

export const backgroundUpdatesQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'background-updates'],
    queryFn: async ({ signal }): Promise<BackgroundUpdates> => {
      const status = await getLeniently(server, Status, '/v1/background_updates/status', { signal });
      const updates = Object.entries(status.current_updates);
      return {
        ...status,
        current_updates: Object.fromEntries(
          updates.map(([name, update]) => [name, readEntry(RunningUpdate, update)]),
        ),
      };
    },
    staleTime: 1_000,
    refetchInterval: ({ state: { data } }) =>
      data && hasPendingUpdates(data) && data.enabled !== false ? runningIntervalMs : idleIntervalMs,
  });

export const hasPendingUpdates = ({ current_updates }: BackgroundUpdates) =>
  Object.keys(current_updates).length > 0;

const Enabled = Type.Object({ enabled: Type.Boolean() });

/** Pauses background updates, or resumes them. */
export const setBackgroundUpdates = (server: Server) =>
  mutationOptions({
    mutationKey: [server.id, 'background-updates', 'enabled'],
    mutationFn: (enabled: boolean) =>
      server.send('POST', Enabled, '/v1/background_updates/enabled', { body: body(Enabled, { enabled }) }),
    onSettled: (_reply, _error, _enabled, _result, { client }) =>
      client.invalidateQueries({ queryKey: [server.id, 'background-updates'] }),
  });

/** Jobs that can be started by name. */
export const backgroundJobs = ['populate_stats_process_rooms', 'regenerate_directory'] as const;
export type BackgroundJob = (typeof backgroundJobs)[number];

/**
 * Whether the server may support a job. No server lists them, and probing would start one.
 *
 * @param software the server's name for itself; the built-in homeserver has no directory to regenerate
 */
export const maySupportJob = (software: string | null, job: BackgroundJob) =>
  software !== 'Gatehouse' || job !== 'regenerate_directory';

const Job = Type.Object({ job_name: Type.String() });

/** Queues a job. */
export const startBackgroundJob = (server: Server) =>
  mutationOptions({
    mutationKey: [server.id, 'background-updates', 'start'],
    mutationFn: (job: BackgroundJob) =>
      server.send('POST', EmptyObject, '/v1/background_updates/start_job', {
        body: body(Job, { job_name: job }),
      }),
    onSettled: (_reply, _error, _job, _result, { client }) =>
      client.invalidateQueries({ queryKey: [server.id, 'background-updates'] }),
  });
