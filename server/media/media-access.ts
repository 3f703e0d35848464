/**
 * When media were last fetched, kept behind the requests: no download waits until that is written, or fails
 * because it can't be. What can't be written is dropped, and noted anew by the next download.
 */
import { type Clock, waitAtMost } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/schema.ts';
import { type Media, touchMedia } from './media-store.ts';

/** How exactly the last access is known, in milliseconds: not every download is worth a write. */
const precision = 60_000;
/** How long a read of what was noted waits for what is not written yet, in milliseconds. */
const patience = 1_000;
/** While the database takes nothing, this many wait for it; more are not noted. */
const maximumPending = 10_000;

export type MediaAccess = {
  /** Notes that media are fetched. */
  note(media: Pick<Media, 'mediaId' | 'lastAccessTs'>): void;
  /** Waits until what was noted can be read, or for as long as that is worth waiting for. */
  settle(): Promise<void>;
  /** Writes what is left, where that can be done soon. */
  stop(): Promise<void>;
};

export function createMediaAccess({ db, clock, log }: { db: Database; clock: Clock; log: Log }): MediaAccess {
  /** When media that are still to be written were fetched. */
  const pending = new Map<string, number>();
  let writing: Promise<void> | undefined;
  let hasFailed = false;

  /** One after the other: downloads take no more than one connection from those who wait for theirs. */
  async function writeAll(): Promise<void> {
    for (const [mediaId, time] of pending) {
      try {
        await touchMedia(db, mediaId, time);
        hasFailed = false;
      } catch (err) {
        // Nobody waits for the answer, so it is said where an operator looks; once, until writing goes on.
        if (!hasFailed) log.error({ err }, "media: couldn't save last access times:");
        hasFailed = true;
      }
      pending.delete(mediaId);
    }
    writing = undefined;
  }

  async function settle(): Promise<void> {
    if (writing) await waitAtMost(clock, patience, writing);
  }

  return {
    note({ mediaId, lastAccessTs }) {
      const now = clock.now();
      if (lastAccessTs !== null && lastAccessTs > now - precision) return;
      if (pending.has(mediaId) || pending.size >= maximumPending) return;
      pending.set(mediaId, now);
      writing ??= writeAll();
    },
    settle,
    async stop() {
      await settle();
      pending.clear();
    },
  };
}
