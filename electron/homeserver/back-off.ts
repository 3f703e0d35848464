/** When a homeserver that crashed is started again, and when it is given up. */

const windowMs = 60_000;
const crashesToGiveUp = 5;
const firstDelayMs = 250;

/**
 * How long to wait before the next start, in milliseconds: twice as long after each crash of the last
 * minute. Undefined after the fifth: something is wrong that another start won't mend.
 *
 * @param crashes when it crashed, in milliseconds, the latest last
 */
export function restartDelay(crashes: readonly number[]): number | undefined {
  const latest = crashes.at(-1) ?? 0;
  const recent = crashes.filter((crash) => latest - crash < windowMs).length;
  return recent < crashesToGiveUp ? firstDelayMs * 2 ** (recent - 1) : undefined;
}
