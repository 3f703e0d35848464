import { Type } from 'typebox';
import { Session } from '../../shared/session.ts';
import { persisted } from '../persisted.ts';

/** Storage key of a redirect sign-in in progress. */
export const pendingSignInKey = 'gatehouse.sign-in';

export const Sessions = Type.Array(Session);

export type SessionStore = ReturnType<typeof sessionStore>;

/** Stores a tab's sessions and tokens. `sharedSessions` shares them between tabs. */
export function sessionStore(storage: Storage) {
  const kept = persisted('gatehouse.sessions', Sessions, [], storage);
  const others = (id: string) => kept.read().filter(({ connection }) => connection.id !== id);

  return {
    all: kept.read,
    find: (id: string) => kept.read().find(({ connection }) => connection.id === id),
    save: (session: Session) => kept.write([...others(session.connection.id), session]),
    remove: (id: string) => kept.write(others(id)),
    replace: (sessions: Session[]) => kept.write(sessions),
    subscribe: kept.subscribe,
    close: kept.close,
  };
}
