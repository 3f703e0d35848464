/**
 * Who looks at which report. Each look is an event that stays in the room, so they are few: a look has to
 * last, and while nobody answers, one is said every few minutes at most.
 */
import { type Alarm, alarm } from './alarm.ts';
import type { ReportKind } from './entries.ts';

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

/** The report that someone looks at, as `user_report 3`; null where they look at none. */
export type Look = `${ReportKind} ${number}` | null;

const nobody: readonly string[] = [];

export type Looking = ReturnType<typeof lookingFrom>;

/** @param changed is called when someone else looks at something else */
export function lookingFrom(changed: () => void) {
  const others = new Map<string, { look: Look; at: number }>();
  /** Those of each report, as they were read last. */
  const read = new Map<Look, readonly string[]>();
  const nudge = alarm();
  let heardAt = Number.NEGATIVE_INFINITY;
  let mine: { look: Look; since: number } = { look: null, since: 0 };
  let said: { look: Look; at: number } = { look: null, at: Number.NEGATIVE_INFINITY };

  /** When the look that there is now should be said, or undefined where there is nothing to say. */
  function due(): number | undefined {
    const apart = heardAt > Date.now() - thereMs ? apartMs : apartAloneMs;
    if (mine.look !== said.look) return Math.max(said.at + apart, mine.since + lookBeginsMs);
    return mine.look === null ? undefined : Math.max(said.at + apart, said.at + sayAgainMs);
  }

  return {
    /** Returns the user IDs of others who look at a report now, sorted; the same array until they change. */
    at(looked: Look): readonly string[] {
      const now = [...others]
        .filter(([, { look, at }]) => look === looked && at > Date.now() - lookLastsMs)
        .map(([userId]) => userId)
        .sort();
      const before = read.get(looked) ?? nobody;
      if (now.join() === before.join()) return before;
      read.set(looked, now);
      return now;
    },

    look(look: Look) {
      if (look === mine.look) return;
      mine = { look, since: Date.now() };
      nudge.ring();
    },

    /** Something came from another administrator, `age` milliseconds ago; `look` where it was one. */
    heard(userId: string, age: number, look?: Look) {
      const at = Date.now() - Math.max(0, age);
      if (at > heardAt) {
        heardAt = at;
        nudge.ring();
      }
      if (look === undefined || (others.get(userId)?.at ?? 0) >= at) return;
      others.set(userId, { look, at });
      changed();
    },

    /** Says looks when they are due, through `say`, until the signal is aborted; drops those that fail. */
    async run(say: (look: Look) => Promise<unknown>, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const at = due();
        const left = at === undefined ? Number.POSITIVE_INFINITY : at - Date.now();
        if (left > 0 || document.hidden) {
          await pause(nudge, document.hidden ? lookLastsMs : left, signal);
          // Looks of others end by themselves.
          changed();
          continue;
        }
        said = { look: mine.look, at: Date.now() };
        await say(said.look).catch(() => {});
      }
    },
  };
}

/** Not longer than it takes until someone's look is over. */
const pause = (nudge: Alarm, milliseconds: number, signal: AbortSignal) =>
  nudge.wait(Math.min(milliseconds, lookLastsMs / 6), signal);

/**
 * Returns up to two letters for a user: `@ada.lovelace:example.org` is AL, `@bob:example.org` is BO. If a colleague has
 * the same, the second letter is the first one in which the names differ: `@modanna` is MA, `@modben` is MB.
 */
export function initialsOf(userId: string, colleagues: readonly string[] = []): string {
  const own = usualInitials(userId);
  const alike = colleagues.filter((other) => other !== userId && usualInitials(other) === own);
  if (alike.length === 0) return own;
  const [first = '?', ...letters] = lettersOf(userId);
  const second = letters.find((letter, index) =>
    alike.every((other) => lettersOf(other)[index + 1] !== letter),
  );
  return second === undefined ? own : `${first}${second}`.toUpperCase();
}

function usualInitials(userId: string): string {
  const [first = '', second = ''] = localpartOf(userId).split(notInNames).filter(Boolean);
  const initials = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2);
  return (initials.join('') || '?').toUpperCase();
}

const notInNames = /[^\p{L}\p{N}]+/u;
const localpartOf = (userId: string) => userId.replace(/^@/, '').split(':', 1)[0] ?? '';
const lettersOf = (userId: string) => [...localpartOf(userId).split(notInNames).join('')];
