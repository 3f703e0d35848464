/** Restart backoff for a crashing homeserver. */

const windowMs = 60_000;
const crashesToGiveUp = 5;
const firstDelayMs = 250;

/**
 * Returns the wait before the next start in milliseconds, which doubles with each crash within the last minute.
 * Undefined after the fifth crash, when restarting won't help.
 *
 * @param crashes times of the crashes in milliseconds, the latest last
 */
export function restartDelay(crashes: readonly number[]): number | undefined {
  const latest = crashes.at(-1) ?? 0;
  const recent = crashes.filter((crash) => latest - crash < windowMs).length;
  return recent < crashesToGiveUp ? firstDelayMs * 2 ** (recent - 1) : undefined;
}
