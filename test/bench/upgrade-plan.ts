/** `node test/bench/upgrade-plan.ts`: time to compute the longest upgrade plan. It should take less than 5 ms. */
import { performance } from 'node:perf_hooks';
import { planUpgrade } from '../../shared/upgrade/plan.ts';

const longest = () => planUpgrade({ from: '1.0.0', to: '1.161.0', dialect: 'vendor' });

const start = performance.now();
longest();
const first = performance.now() - start;

const times = Array.from({ length: 200 }, () => {
  const before = performance.now();
  longest();
  return performance.now() - before;
}).sort((a, b) => a - b);

const milliseconds = (time: number | undefined) => `${time?.toFixed(2)} ms`;
process.stdout.write(
  `v1.0.0 to v1.161.0: first ${milliseconds(first)}, then ${milliseconds(times[100])} (median of 200), ` +
    `${milliseconds(times.at(-1))} at most\n`,
);
