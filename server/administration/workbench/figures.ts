/** Metrics of this process for the last hour, one point every ten seconds. */
import type { RequestListener } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type FiguresPoint, figuresEverySeconds, figuresKept } from '../../../shared/workbench/figures.ts';
import type { Waiting } from '../../conversation/sync/waiting.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { databaseSize } from '../../platform/database/database.ts';
import type { Database } from '../../platform/database/schema.ts';
import { countTasksByStatus } from '../../platform/tasks/scheduled-task-store.ts';

/** Upper bound of the first histogram bucket in milliseconds, and buckets until that has doubled. */
const shortest = 0.05;
const steps = 8;
const buckets = 24 * steps;
/** Above this number of requests in a point, only one in eight is timed. */
const allUntil = 256;
const oneOf = 8;

/** A histogram of request durations with logarithmic buckets. */
function createLatencies() {
  const counts = new Uint32Array(buckets);
  let count = 0;
  let timed = 0;

  /** Accurate to a tenth. */
  function quantile(part: number): number | null {
    if (timed === 0) return null;
    let left = Math.ceil(timed * part);
    const index = counts.findIndex((each) => {
      left -= each;
      return left <= 0;
    });
    return shortest * 2 ** ((index + 0.5) / steps);
  }

  return {
    /** Counts a request, and returns whether to time it. */
    count(): boolean {
      count++;
      return count <= allUntil || count % oneOf === 0;
    },
    note(milliseconds: number): void {
      const step = Math.floor(Math.log2(milliseconds / shortest) * steps);
      const index = step > 0 ? Math.min(step, buckets - 1) : 0;
      counts[index] = (counts[index] ?? 0) + 1;
      timed++;
    },
    /** Returns the values since the last call. */
    take() {
      const taken = { count, median: quantile(0.5), highest: quantile(0.99) };
      counts.fill(0);
      count = 0;
      timed = 0;
      return taken;
    },
  };
}

export type Figures = {
  /** Wraps a request listener to count its requests. */
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
  /** Monotonic time of the last point. */
  let takenAt = clock.monotonic();
  let isTaking = false;

  function memoryUsage() {
    try {
      memory = process.memoryUsage();
    } catch {
      // It reads a file, which fails if too many are open: the last value has to do.
    }
    return memory;
  }

  async function takePoint(): Promise<void> {
    const seconds = (clock.monotonic() - takenAt) / 1000;
    takenAt = clock.monotonic();
    const { count, median, highest } = latencies.take();
    const { rss, heapUsed } = memoryUsage();
    const delay = (delays?.percentile(99) ?? 0) / 1e6;
    delays?.reset();
    const at = clock.now();
    // The other values don't need the database.
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
      // Don't pile up queries on a slow database.
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
