/** A mixed load of concurrent reads and writes, mostly reads. */
import { type Call, send } from './load.ts';

type MixedLoad = { perSecond: number; p50: number; p99: number; failed: number };

/** Number of concurrent calls. */
const atOnce = 16;
/** Every n-th call is a write. */
const writesEvery = 5;

/** Sends reads and writes for the given duration. Latencies are in milliseconds, up to the complete reply. */
export async function mixedLoad(
  url: string,
  milliseconds: number,
  reads: readonly Call[],
  write: (index: number) => Call,
): Promise<MixedLoad> {
  const times: number[] = [];
  let next = 0;
  let failed = 0;
  const start = performance.now();
  const end = start + milliseconds;
  const worker = async () => {
    while (performance.now() < end) {
      const index = next++;
      const read = reads[index % reads.length];
      const began = performance.now();
      try {
        await send(url, index % writesEvery === 0 || !read ? write(index) : read);
        times.push(performance.now() - began);
      } catch {
        failed++;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const passed = performance.now() - start;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: (times.length * 1000) / passed, p50: at(0.5), p99: at(0.99), failed };
}
