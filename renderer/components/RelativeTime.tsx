import { useStoreValue } from '../subscribers.ts';
import { exactTime, relativeTime } from './time.ts';

/**
 * Renders a relative time; the exact time is in the tooltip.
 *
 * @param long in a sentence; in a list it's short
 */
export function RelativeTime({ timestamp, long = false }: { timestamp: number; long?: boolean }) {
  const now = useStoreValue(minute, minute.snapshot);
  return (
    // A native tooltip: hundreds of these mount while a list scrolls.
    <time dateTime={machineTime(timestamp)} title={exactTime(timestamp)}>
      {relativeTime(timestamp, now, long ? 'long' : 'narrow')}
    </time>
  );
}

/** Returns undefined for the out-of-range timestamps of hostile events, at which `Date` would throw. */
function machineTime(timestamp: number): string | undefined {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const tickMs = 15_000;

/** One timer for all mounted times. */
const minute = {
  now: Date.now(),
  listeners: new Set<() => void>(),
  timer: undefined as ReturnType<typeof setInterval> | undefined,
  snapshot() {
    // Stale after a time without subscribers.
    if (minute.timer === undefined && Date.now() > minute.now + tickMs) minute.now = Date.now();
    return minute.now;
  },
  subscribe: (listener: () => void) => {
    minute.listeners.add(listener);
    minute.timer ??= setInterval(() => {
      minute.now = Date.now();
      for (const notify of minute.listeners) notify();
    }, tickMs);
    return () => {
      minute.listeners.delete(listener);
      if (minute.listeners.size > 0) return;
      clearInterval(minute.timer);
      minute.timer = undefined;
    };
  },
};
