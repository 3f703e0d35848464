/** A background job that adds sample data, one at a time. */
import type { SampleDataJob } from '../../../shared/workbench/sample-data.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { SampleContext } from '../sample-data/add-sample-data.ts';

export type JobContext = SampleContext & { stopping: AbortController };

export type SampleDataJobs = {
  readonly state: SampleDataJob;
  /** @throws MatrixError 409 while one is running */
  start(context: JobContext, size: { reports: number; users: number }): SampleDataJob;
  /** Resolves when the job has stopped. */
  stop(): Promise<SampleDataJob>;
};

export function createSampleDataJobs(): SampleDataJobs {
  let state: SampleDataJob = { status: 'idle', done: 0, total: 0 };
  let stopping = new AbortController();
  let running = Promise.resolve();

  async function run(context: JobContext, size: { reports: number; users: number }, signal: AbortSignal) {
    try {
      const { addSampleData } = await import('../sample-data/add-sample-data.ts');
      const progress = (step: SampleDataJob['step'], done: number, total: number) => {
        state = { status: 'running', ...(step && { step }), done, total };
      };
      await addSampleData(context, { ...size, progress, signal });
      state = { ...state, status: 'complete', done: state.total };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      state = signal.aborted
        ? { ...state, status: 'stopped' }
        : { ...state, status: 'failed', error: message };
    }
  }

  return {
    get state() {
      return state;
    },
    start(context, size) {
      if (state.status === 'running') {
        throw new MatrixError(
          409,
          'M_CONFLICT',
          'Sample data is already being added. Stop the job or wait until it has finished.',
        );
      }
      stopping = new AbortController();
      state = { status: 'running', done: 0, total: size.reports };
      running = run(context, size, AbortSignal.any([stopping.signal, context.stopping.signal]));
      return state;
    },
    async stop() {
      stopping.abort();
      await running;
      return state;
    },
  };
}
