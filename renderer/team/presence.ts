/**
 * Reports that the team's members are viewing. Each update is an event that stays in the room, so updates are
 * debounced, and rare while no colleague is active.
 */

import type { ViewedReport } from '../../shared/team/room-events.ts';
import { createWakeup } from './wakeup.ts';

const ttlMs = 3 * 60_000;
const heartbeatMs = 2 * 60_000;
/** Skips reports passed with the arrow keys. */
const debounceMs = 1_500;
/** Between updates. */
const minIntervalMs = 10_000;
const minIntervalAloneMs = 5 * 60_000;
/** A colleague who sent nothing for longer counts as away. */
const colleagueTtlMs = 5 * 60_000;

const noViewers: readonly string[] = [];

export type Presence = ReturnType<typeof createPresence>;

/** @param changed called when a colleague's presence changes */
export function createPresence(changed: () => void) {
  const others = new Map<string, { report: ViewedReport; at: number }>();
  /** Keeps `viewersOf` referentially stable. */
  const lastResults = new Map<ViewedReport, readonly string[]>();
  const wakeup = createWakeup();
  let lastReceivedAt = Number.NEGATIVE_INFINITY;
  let current: { report: ViewedReport; since: number } = { report: null, since: 0 };
  let sent: { report: ViewedReport; at: number } = { report: null, at: Number.NEGATIVE_INFINITY };

  const isColleagueActive = () => lastReceivedAt > Date.now() - colleagueTtlMs;

  /** Returns when to send the next update, if any. */
  function nextSendAt(): number | undefined {
    const intervalMs = isColleagueActive() ? minIntervalMs : minIntervalAloneMs;
    if (current.report !== sent.report) return Math.max(sent.at + intervalMs, current.since + debounceMs);
    return current.report === null ? undefined : sent.at + Math.max(intervalMs, heartbeatMs);
  }

  return {
    /** Whether a colleague sent anything lately. */
    isColleagueActive,

    /** Returns the report that the user is viewing. */
    viewing: () => current.report,

    /** Returns the user IDs of colleagues viewing a report, sorted. The array stays the same until they change. */
    viewersOf(report: ViewedReport): readonly string[] {
      const now = [...others]
        .filter(([, other]) => other.report === report && other.at > Date.now() - ttlMs)
        .map(([userId]) => userId)
        .sort();
      const before = lastResults.get(report) ?? noViewers;
      if (now.join() === before.join()) return before;
      lastResults.set(report, now);
      return now;
    },

    setViewing(report: ViewedReport) {
      if (report === current.report) return;
      current = { report, since: Date.now() };
      wakeup.wake();
    },

    /** Handles an event that a colleague sent `age` milliseconds ago. `report` is undefined for other event types. */
    receive(userId: string, age: number, report?: ViewedReport) {
      const at = Date.now() - Math.max(0, age);
      if (at > lastReceivedAt) {
        lastReceivedAt = at;
        wakeup.wake();
      }
      if (report === undefined || (others.get(userId)?.at ?? 0) >= at) return;
      others.set(userId, { report, at });
      changed();
    },

    /** Sends updates until the signal is aborted. Ignores failures. */
    async run(send: (report: ViewedReport) => Promise<unknown>, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const at = nextSendAt();
        const left = at === undefined ? Number.POSITIVE_INFINITY : at - Date.now();
        if (left > 0 || document.hidden) {
          // Short enough to notice expired presence.
          await wakeup.sleep(Math.min(document.hidden ? ttlMs : left, ttlMs / 6), signal);
          changed();
          continue;
        }
        sent = { report: current.report, at: Date.now() };
        await send(sent.report).catch(() => {});
      }
    },
  };
}

/**
 * Returns up to two letters for a user: `@ada.lovelace:example.org` is AL, `@bob:example.org` is BO. If a colleague has
 * the same, the second letter is the first one in which the names differ: `@modanna` is MA, `@modben` is MB.
 */
export function initialsOf(userId: string, colleagues: readonly string[] = []): string {
  const own = defaultInitials(userId);
  const alike = colleagues.filter((other) => other !== userId && defaultInitials(other) === own);
  if (alike.length === 0) return own;
  const [first = '?', ...letters] = lettersOf(userId);
  const second = letters.find((letter, index) =>
    alike.every((other) => lettersOf(other)[index + 1] !== letter),
  );
  return second === undefined ? own : `${first}${second}`.toUpperCase();
}

function defaultInitials(userId: string): string {
  const [first = '', second = ''] = localpartOf(userId).split(separators).filter(Boolean);
  const initials = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2);
  return (initials.join('') || '?').toUpperCase();
}

const separators = /[^\p{L}\p{N}]+/u;
const localpartOf = (userId: string) => userId.replace(/^@/, '').split(':', 1)[0] ?? '';
const lettersOf = (userId: string) => [...localpartOf(userId).split(separators).join('')];
