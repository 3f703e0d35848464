/** Sample data in the making: one job at a time, which can be watched and stopped. */
import type { SampleDataJob } from '../../shared/workbench/sample-data.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Services } from '../services.ts';

export type SampleDataJobs = {
  readonly state: SampleDataJob;
  /** @throws MatrixError 409 while one is running */
  start(services: Services, wanted: { reports: number; users: number }): SampleDataJob;
  /** Resolves when it has stopped. */
  stop(): Promise<SampleDataJob>;
};

export function createSampleDataJobs(): SampleDataJobs {
  let state: SampleDataJob = { status: 'idle', done: 0, total: 0 };
  let stopping = new AbortController();
  let running = Promise.resolve();

  async function run(services: Services, wanted: { reports: number; users: number }, signal: AbortSignal) {
    try {
      const { addSampleData } = await import('../sample-data/add-sample-data.ts');
      const progress = (step: SampleDataJob['step'], done: number, total: number) => {
        state = { status: 'running', ...(step && { step }), done, total };
      };
      await addSampleData(services, { ...wanted, progress, signal });
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
    start(services, wanted) {
      if (state.status === 'running') {
        throw new MatrixError(
          409,
          'M_CONFLICT',
          'Sample data is being made already: stop it, or wait for it',
        );
      }
      stopping = new AbortController();
      state = { status: 'running', done: 0, total: wanted.reports };
      running = run(services, wanted, AbortSignal.any([stopping.signal, services.stopping.signal]));
      return state;
    },
    async stop() {
      stopping.abort();
      await running;
      return state;
    },
  };
}
