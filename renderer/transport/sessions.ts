import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { Connection } from '../../shared/connection.ts';

const Session = Type.Object({ connection: Connection, accessToken: Type.String() });
export type Session = Static<typeof Session>;
const Sessions = Type.Array(Session);

const key = 'gatehouse.sessions';

/** The signed-in servers of a browser tab, with their tokens. */
export function sessionStore(storage: Storage) {
  const all = (): Session[] => {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? '[]');
    return Value.Check(Sessions, stored) ? stored : [];
  };
  const write = (sessions: Session[]) => storage.setItem(key, JSON.stringify(sessions));
  const others = (id: string) => all().filter(({ connection }) => connection.id !== id);

  return {
    all,
    find: (id: string) => all().find(({ connection }) => connection.id === id),
    save: (session: Session) => write([...others(session.connection.id), session]),
    remove: (id: string) => write(others(id)),
  };
}
