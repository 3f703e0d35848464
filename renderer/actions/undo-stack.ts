import { Type } from 'typebox';
import { type Notice, noticesOf } from '../components/notices.ts';
import type { Server } from '../transport/server.ts';

type Offer = {
  run: () => unknown;
  at: number;
  key: string | undefined;
  scope: string | undefined;
  subjects: Set<string>;
  onEnded: (() => void) | undefined;
};
type Options = {
  /** Start time in milliseconds since the Unix epoch; default: now. */
  at?: number | undefined;
  /** Replaces the offer with the same key. */
  key?: string | undefined;
  /** Narrows `undoLatest`. */
  scope?: string | undefined;
  /** The changed subjects. Once all of them are gone, there is nothing to undo. */
  subjects?: Iterable<string>;
  /** Called when it is withdrawn for that. */
  onEnded?: () => void;
};

const maxOffers = 100;
/** A stored job has at most as many items. */
const maxStoredSubjects = 2_000;

/** A subject that was deactivated or deleted; `at` in milliseconds since the Unix epoch. */
const EndedSubject = Type.Tuple([Type.String(), Type.Integer()]);

export const undosOf = (server: Server) => server.state(undoStack);

/** The user's offers to undo on a server, in the order in which the jobs began. */
export function undoStack({ id, deviceStorage }: Pick<Server, 'id' | 'deviceStorage'>) {
  const offers: Offer[] = [];
  const stored = deviceStorage.open(`gatehouse.undo.ended.${id}`, Type.Array(EndedSubject), [], 'session');
  const endedAt = new Map(stored.read());

  function remove(index: number) {
    if (index !== -1) offers.splice(index, 1);
  }
  const withdraw = (key: string) => remove(offers.findIndex((offer) => offer.key === key));

  return {
    withdraw,
    has: (key: string): boolean => offers.some((offer) => offer.key === key),
    /**
     * Offers an undo. Returns a function that withdraws the offer.
     *
     * @param run returns `false` if there was nothing left to undo
     */
    offer(
      run: () => unknown,
      { at = Date.now(), key, scope, subjects = [], onEnded }: Options = {},
    ): () => void {
      if (key !== undefined) withdraw(key);
      const offer: Offer = { run, at, key, scope, subjects: new Set(subjects), onEnded };
      offers.splice(offers.findLastIndex((other) => other.at <= at) + 1, 0, offer);
      if (offers.length > maxOffers) offers.shift();
      return () => remove(offers.indexOf(offer));
    },
    /**
     * Records that a subject was deactivated or deleted, so that earlier changes to it can't be undone. Withdraws
     * offers that would only undo such changes.
     *
     * @param key of the offer that announces this
     */
    endSubject(subject: string, key: string) {
      endedAt.delete(subject);
      endedAt.set(subject, Date.now());
      stored.write([...endedAt].slice(-maxStoredSubjects));
      for (const offer of [...offers]) {
        if (offer.key === key || !offer.subjects.delete(subject) || offer.subjects.size > 0) continue;
        remove(offers.indexOf(offer));
        offer.onEnded?.();
      }
    },
    /** Whether a subject was deactivated or deleted after it was changed. */
    isSubjectEnded: (subject: string, changedAt = 0): boolean =>
      changedAt <= (endedAt.get(subject) ?? Number.NEGATIVE_INFINITY),
    /** Undoes the latest offer, of all or of a scope. Returns whether there was one. */
    undoLatest(scope?: string): boolean {
      for (;;) {
        const index = offers.findLastIndex((offer) => scope === undefined || offer.scope === scope);
        const [offer] = index === -1 ? [] : offers.splice(index, 1);
        if (!offer) return false;
        if (offer.run() !== false) return true;
      }
    },
  };
}

/** Shows a notice with an undo, which the shortcut that undoes the latest change runs as well. */
export function noticeWithUndo(
  server: Server,
  { text, undoLabel }: Pick<Notice, 'text' | 'undoLabel'>,
  run: () => void,
) {
  const undo = () => {
    withdraw();
    hide();
    run();
  };
  const withdraw = undosOf(server).offer(undo);
  const hide = noticesOf(server).show({ text, undo, undoLabel });
}
