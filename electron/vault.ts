/**
 * The connections and their access tokens. Encrypted as one piece, so that nobody who can write the file
 * can pair a token with another address. Without a keychain they last until the app ends, and nothing of
 * them reaches the disk.
 */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { Connection } from '../shared/connection.ts';
import { writeFileAtomically } from './atomic-file.ts';
import type { Keychain } from './keychain.ts';

const Session = Type.Object({ connection: Connection, accessToken: Type.String() });
export type Session = Static<typeof Session>;

const Content = Type.Object({ version: Type.Literal(1), sessions: Type.Array(Session) });

export type Vault = {
  list(): Session[];
  get(connectionId: string): Session | undefined;
  /** Adds a session, or puts it in the place of the one with the same connection id. */
  put(session: Session): Promise<void>;
  remove(connectionId: string): Promise<void>;
};

export async function openVault(path: string, keychain: Keychain): Promise<Vault> {
  const lasting = await keychain.available();
  const sessions = new Map<string, Session>();
  for (const session of lasting ? await read(path, keychain) : []) {
    sessions.set(session.connection.id, session);
  }

  let lastWrite = Promise.resolve();
  /** One after the other, each with what is in the vault by then. */
  const save = async () => {
    const write = async () => {
      if (sessions.size === 0) return rmSync(path, { force: true });
      const content = { version: 1, sessions: [...sessions.values()] };
      writeFileAtomically(path, await keychain.encrypt(JSON.stringify(content)));
    };
    if (!lasting) return;
    lastWrite = lastWrite.then(write, write);
    await lastWrite;
  };

  return {
    list: () => [...sessions.values()],
    get: (connectionId) => sessions.get(connectionId),
    async put(session) {
      sessions.set(session.connection.id, session);
      await save();
    },
    async remove(connectionId) {
      sessions.delete(connectionId);
      await save();
    },
  };
}

async function read(path: string, keychain: Keychain): Promise<Session[]> {
  let encrypted: Buffer;
  try {
    encrypted = readFileSync(path);
  } catch {
    return [];
  }
  try {
    const content: unknown = JSON.parse(await keychain.decrypt(encrypted));
    if (Value.Check(Content, content)) return content.sessions;
  } catch {
    // Below: what can't be decrypted and what can't be understood end the same way.
  }
  // Another key, another version or another hand wrote it: the person signs in again.
  renameSync(path, `${path}.unreadable`);
  return [];
}
