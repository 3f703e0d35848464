/** What this process did in the last hour, in points of ten seconds. */
import type { RequestListener } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type FiguresPoint, figuresEverySeconds, figuresKept } from '../../shared/workbench/figures.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../database/schema.ts';
import { databaseSize } from '../database/size.ts';
import type { Waiting } from '../sync/waiting.ts';
import { countTasksByStatus } from '../tasks/scheduled-task-store.ts';
import { createLatencies } from './latencies.ts';

export type Figures = {
  /** What answers requests in place of `answer`, and counts them. */
  over(answer: RequestListener): RequestListener;
  /** The oldest first. */
  points(after: number): FiguresPoint[];
  start(): void;
  stop(): void;
};

type Context = { db: Database; config: Config; clock: Clock; waiting: Pick<Waiting, 'underWay'> };

export function createFigures({ db, config, clock, waiting }: Context): Figures {
  const points: FiguresPoint[] = [];
  const latencies = createLatencies();
  let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
  let cancel = () => {};
  let memory = { rss: 0, heapUsed: 0 };
  /** When a point was taken last, by the monotonic clock. */
  let takenAt = clock.monotonic();
  let isTaking = false;

  /** Where no file can be opened any more, nobody can tell: then it is as before. */
  function lookAtMemory() {
    try {
      memory = process.memoryUsage();
    } catch {}
    return memory;
  }

  async function takePoint(): Promise<void> {
    const seconds = (clock.monotonic() - takenAt) / 1000;
    takenAt = clock.monotonic();
    const { count, median, highest } = latencies.take();
    const { rss, heapUsed } = lookAtMemory();
    const delay = (delays?.percentile(99) ?? 0) / 1e6;
    delays?.reset();
    const at = clock.now();
    // A database that doesn't answer now is no reason to know nothing of the rest.
    const [size, tasks] = await Promise.all([
      databaseSize(db, config.database).catch(() => null),
      countTasksByStatus(db).catch(() => ({})),
    ]);
    points.push({
      at,
      requests_per_second: count / seconds,
      p50_ms: median,
      p99_ms: highest,
      rss_bytes: rss,
      heap_bytes: heapUsed,
      database_bytes: size,
      tasks,
      waiting_syncs: waiting.underWay,
      event_loop_delay_ms: delay,
    });
    if (points.length > figuresKept) points.shift();
  }

  function takeRegularly(): void {
    cancel = clock.after(figuresEverySeconds * 1000, () => {
      takeRegularly();
      // A database that is slow to answer is not asked once more meanwhile.
      if (isTaking) return;
      isTaking = true;
      void takePoint().finally(() => {
        isTaking = false;
      });
    });
  }

  return {
    over: (answer) => (request, response) => {
      if (latencies.count()) {
        const begun = performance.now();
        response.once('finish', () => latencies.note(performance.now() - begun));
      }
      answer(request, response);
    },
    points: (after) => points.filter(({ at }) => at > after),
    start() {
      delays = monitorEventLoopDelay({ resolution: 50 });
      delays.enable();
      takenAt = clock.monotonic();
      takeRegularly();
    },
    stop() {
      cancel();
      delays?.disable();
    },
  };
}
