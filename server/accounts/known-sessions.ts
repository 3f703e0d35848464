import type { Cache } from '../core/cache.ts';
import { controlOf } from '../database/control.ts';
import type { Database } from '../database/schema.ts';
import { findSession, noteFirstUse, type Session } from './session-store.ts';

/**
 * Sessions that were looked up, by their tokens' digests: each is as good as another look for as long as it is
 * certain that no account and no session was changed since, by this process or another. Where that can't be known
 * at once, every look is one into the database: a token that was revoked is refused from that moment on.
 */
export type KnownSessions = {
  /** A session that is certain; undefined where it has to be looked up. */
  recall(tokenHash: string): Session | undefined;
  /** Whose token this is; undefined for one that is unknown or was revoked. */
  find(tokenHash: string): Promise<Session | undefined>;
};

/** A session, and how often accounts had been changed before it was looked up. */
type Known = { version: number; session: Session };
export type SessionCache = Cache<string, Known>;

export function createKnownSessions(db: Database, known: SessionCache): KnownSessions {
  const version = controlOf(db).version;
  const look = async (hash: string) => {
    const session = await findSession(db, hash);
    if (session?.isFirstUse) await noteFirstUse(db, hash);
    return session;
  };
  if (!version) return { recall: () => undefined, find: look };
  return {
    recall(hash) {
      const found = known.get(hash);
      return found?.version === version('accounts') ? found.session : undefined;
    },
    async find(hash) {
      // Before the look: what is changed meanwhile makes the session uncertain.
      const before = version('accounts');
      const session = await look(hash);
      if (session) known.set(hash, { version: before, session });
      return session;
    },
  };
}
