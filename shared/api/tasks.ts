import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, failures, Nullable, Timestamp } from './common.ts';

export const TaskStatus = Type.Union([
  Type.Literal('scheduled'),
  Type.Literal('active'),
  Type.Literal('complete'),
  Type.Literal('failed'),
]);
export type TaskStatus = Static<typeof TaskStatus>;

export const taskStatuses = ['scheduled', 'active', 'complete', 'failed'] as const satisfies TaskStatus[];

// In a form that is fast to validate and serialize for thousands of tasks.
const KnownStatus = Type.Unsafe<TaskStatus | 'cancelled'>({
  type: 'string',
  enum: [...taskStatuses, 'cancelled'],
});

/** Synapse also knows `cancelled`, so the console has to read it. */
export const ScheduledTask = Type.Object({
  id: Type.String(),
  action: Type.String(),
  status: KnownStatus,
  timestamp_ms: Timestamp,
  resource_id: Type.Optional(Nullable(Type.String())),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Nullable(Type.String())),
});
export type ScheduledTask = Static<typeof ScheduledTask>;

export const ScheduledTaskList = Type.Object({ scheduled_tasks: Type.Array(ScheduledTask) });
export type ScheduledTaskList = Static<typeof ScheduledTaskList>;

const ScheduledTaskFilter = Type.Object({
  action_name: Type.Optional(Type.String()),
  resource_id: Type.Optional(Type.String()),
  status: Type.Optional(TaskStatus),
  job_status: Type.Optional(KnownStatus),
  max_timestamp: Type.Optional(Type.Integer({ description: 'Only tasks before this time, exclusive' })),
});

/** `GET …/v1/scheduled_tasks`. */
export const listScheduledTasks = {
  querystring: ScheduledTaskFilter,
  response: { 200: ScheduledTaskList, ...failures },
};

/** Background updates, which continue after a migration. Synapse's "Background Updates API". */

/** By database; this server has one, `master`, and lists it while an update is running or waiting in it. */
export const BackgroundUpdateStatus = Type.Object({
  enabled: Type.Boolean(),
  current_updates: Dictionary(
    Type.Object({
      name: Type.String(),
      total_item_count: Type.Integer(),
      total_duration_ms: Type.Number(),
      average_items_per_ms: Type.Number(),
    }),
  ),
});
export type BackgroundUpdateStatus = Static<typeof BackgroundUpdateStatus>;
export const getBackgroundUpdateStatus = { response: { 200: BackgroundUpdateStatus, ...failures } };

const Enabled = Type.Object({ enabled: Type.Boolean() });
export const getBackgroundUpdatesEnabled = { response: { 200: Enabled, ...failures } };
export const postBackgroundUpdatesEnabled = {
  body: Type.Object({ enabled: Type.Boolean() }, { additionalProperties: true }),
  response: { 200: Enabled, ...failures },
};

export const startBackgroundJob = {
  body: Type.Object({ job_name: Type.String() }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};
