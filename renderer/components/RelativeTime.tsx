import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from '../words/format.ts';

/** When, as a person says it; the exact time on hover. */
export function RelativeTime({ timestamp, long = false }: { timestamp: number; long?: boolean }) {
  const now = useSyncExternalStore(minute.subscribe, minute.snapshot);
  return (
    // A tooltip of one's own costs more than the rest of a row, and there are hundreds while a list scrolls.
    <time dateTime={machineTime(timestamp)} title={exactTime(timestamp)}>
      {relativeTime(timestamp, now, long ? 'long' : 'narrow')}
    </time>
  );
}

/** Out-of-range timestamps come from hostile events and must not throw. */
function machineTime(timestamp: number): string | undefined {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** One timer for every time on screen, ticking only while there is one. */
const minute = {
  now: Date.now(),
  listeners: new Set<() => void>(),
  timer: undefined as ReturnType<typeof setInterval> | undefined,
  snapshot: () => minute.now,
  subscribe: (listener: () => void) => {
    minute.listeners.add(listener);
    if (minute.timer === undefined) {
      // It stood still while no time was on screen.
      minute.now = Date.now();
      minute.timer = setInterval(() => {
        minute.now = Date.now();
        for (const notify of minute.listeners) notify();
      }, 15_000);
    }
    return () => {
      minute.listeners.delete(listener);
      if (minute.listeners.size > 0) return;
      clearInterval(minute.timer);
      minute.timer = undefined;
    };
  },
};
