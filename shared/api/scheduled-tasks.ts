import { type Static, Type } from 'typebox';
import { failures, Nullable, Timestamp } from './common.ts';

/** Interface: "States and transitions". */
export const TaskStatus = Type.Union([
  Type.Literal('scheduled'),
  Type.Literal('active'),
  Type.Literal('complete'),
  Type.Literal('failed'),
]);
export type TaskStatus = Static<typeof TaskStatus>;

export const taskStatuses = ['scheduled', 'active', 'complete', 'failed'] as const satisfies TaskStatus[];

// Written so that whoever reads or writes ten thousand of them takes the fast path.
const KnownStatus = Type.Unsafe<TaskStatus | 'cancelled'>({
  type: 'string',
  enum: [...taskStatuses, 'cancelled'],
});

/** Interface: "Scheduled task". Deployed servers also know `cancelled`, so a console has to read it. */
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

export const ScheduledTaskFilter = Type.Object({
  action_name: Type.Optional(Type.String()),
  resource_id: Type.Optional(Type.String()),
  status: Type.Optional(TaskStatus),
  job_status: Type.Optional(KnownStatus),
  max_timestamp: Type.Optional(Type.Integer({ description: 'Only tasks before this time, exclusive' })),
});
export type ScheduledTaskFilter = Static<typeof ScheduledTaskFilter>;

/** Interface: "GET …/scheduled_tasks". */
export const listScheduledTasks = {
  querystring: ScheduledTaskFilter,
  response: { 200: ScheduledTaskList, ...failures },
};
