/**
 * Who looks at which report. Each look is an event that stays in the room, so they are few: a look has to
 * last, and while nobody answers, one is said every few minutes at most.
 */
import { type Alarm, alarm } from './alarm.ts';

/** A look is forgotten after this time, and said again a little before it if it still lasts. */
const lookLastsMs = 3 * 60_000;
const sayAgainMs = 2 * 60_000;
/** Going through the list with the arrow keys is not looking. */
const lookBeginsMs = 1_500;
/** Looks are this far apart at least: while others are there, and while nobody has been heard of. */
const apartMs = 10_000;
const apartAloneMs = 5 * 60_000;
/** Someone who was heard of within this time is there. */
const thereMs = 5 * 60_000;

export type Looking = ReturnType<typeof lookingFrom>;

/** @param changed is called when someone else looks at something else */
export function lookingFrom(changed: () => void) {
  const others = new Map<string, { report: number | null; at: number }>();
  const nudge = alarm();
  let heardAt = Number.NEGATIVE_INFINITY;
  let mine: { report: number | null; since: number } = { report: null, since: 0 };
  let said: { report: number | null; at: number } = { report: null, at: Number.NEGATIVE_INFINITY };

  /** When the look that there is now should be said, or undefined where there is nothing to say. */
  function due(): number | undefined {
    const apart = heardAt > Date.now() - thereMs ? apartMs : apartAloneMs;
    if (mine.report !== said.report) return Math.max(said.at + apart, mine.since + lookBeginsMs);
    return mine.report === null ? undefined : Math.max(said.at + apart, said.at + sayAgainMs);
  }

  return {
    /** The user ids of others who look at a report now, in the order of the alphabet. */
    at: (reportId: number): string[] =>
      [...others]
        .filter(([, { report, at }]) => report === reportId && at > Date.now() - lookLastsMs)
        .map(([userId]) => userId)
        .sort(),

    look(report: number | null) {
      if (report === mine.report) return;
      mine = { report, since: Date.now() };
      nudge.ring();
    },

    /** Something came from another administrator, `age` milliseconds ago; `report` where it was a look. */
    heard(userId: string, age: number, report?: number | null) {
      const at = Date.now() - Math.max(0, age);
      if (at > heardAt) {
        heardAt = at;
        nudge.ring();
      }
      if (report === undefined || (others.get(userId)?.at ?? 0) >= at) return;
      others.set(userId, { report, at });
      changed();
    },

    /** Says looks when they are due, through `say`, until the signal is aborted; drops those that fail. */
    async run(say: (report: number | null) => Promise<unknown>, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const at = due();
        const left = at === undefined ? Number.POSITIVE_INFINITY : at - Date.now();
        if (left > 0 || document.hidden) {
          await pause(nudge, document.hidden ? lookLastsMs : left, signal);
          // Looks of others end by themselves.
          changed();
          continue;
        }
        said = { report: mine.report, at: Date.now() };
        await say(said.report).catch(() => {});
      }
    },
  };
}

/** Not longer than it takes until someone's look is over. */
const pause = (nudge: Alarm, milliseconds: number, signal: AbortSignal) =>
  nudge.wait(Math.min(milliseconds, lookLastsMs / 6), signal);
