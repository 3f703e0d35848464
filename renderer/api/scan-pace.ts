/** Pacing of full scans, which leave the server time for other requests. */
import { isTemporary, retryAfterSeconds } from '../transport/refusal.ts';

/** In milliseconds. */
const maxPauseMs = 2_000;
/** Number of reports before pauses begin: the user is waiting for these. */
const unpaced = 5_000;

/** Waits after each request for as long as it took. @param from number of reports already loaded */
export async function withPause<Reply>(asking: Promise<Reply>, from: number): Promise<Reply> {
  const startedAt = Date.now();
  const reply = await asking;
  if (from < unpaced) return reply;
  const pause = Math.min(maxPauseMs, Date.now() - startedAt);
  await new Promise((resolve) => setTimeout(resolve, pause));
  return reply;
}

/** Retries a busy server for some minutes before the failure is shown. */
export const persistently = {
  retry: (failures: number, error: Error) =>
    failures < 10 && isTemporary(error) && retryAfterSeconds(error) <= 120,
  retryDelay: (failures: number, error: Error) =>
    Math.max(Math.min(1_000 * 2 ** failures, 60_000), retryAfterSeconds(error) * 1000),
};
