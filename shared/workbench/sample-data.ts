/** Adds sample data, with progress. One job at a time. */
import { type Static, Type } from 'typebox';
import { failures } from '../api/common.ts';

export const SampleDataJob = Type.Object({
  status: Type.Enum(['idle', 'running', 'complete', 'stopped', 'failed'] as const),
  /** The current step, and its number of entries. */
  step: Type.Optional(Type.Enum(['users', 'rooms', 'messages', 'reports', 'media', 'tasks'] as const)),
  done: Type.Integer({ description: 'Number of messages and reports so far' }),
  total: Type.Integer(),
  error: Type.Optional(Type.String()),
});
export type SampleDataJob = Static<typeof SampleDataJob>;

/** Maximum number of reports per job. */
export const mostSampleReports = 1_000_000;

/** Starts a job; 409 `M_CONFLICT` while one is running. The password of all sample users is `sample`. */
export const startSampleData = {
  body: Type.Object(
    {
      reports: Type.Integer({ minimum: 0, maximum: mostSampleReports, default: 250 }),
      users: Type.Integer({
        minimum: 0,
        maximum: 10_000,
        default: 0,
        description: 'In addition to the default ones',
      }),
    },
    { additionalProperties: true },
  ),
  response: { 200: SampleDataJob, ...failures },
};
export const getSampleData = { response: { 200: SampleDataJob, ...failures } };
/** Stops after the current write. Data added so far stays. */
export const stopSampleData = { response: { 200: SampleDataJob, ...failures } };
