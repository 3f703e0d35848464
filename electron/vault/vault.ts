/**
 * The connections and their access tokens, encrypted as one piece, so that no one who can write the file can pair a
 * token with another address. Without a keychain, or with a locked one, they last until the app exits and never reach
 * the disk; saved ones stay unchanged.
 */
import { rmSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SessionsKept } from '../../shared/bridge.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { readJson } from '../../shared/read-json.ts';
import { Session } from '../../shared/session.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import { readProfileFile, setAside } from '../profile-file.ts';
import type { Keychain } from './keychain.ts';

const Content = Type.Object({ version: Type.Literal(1), sessions: Type.Array(Session) });

export type Vault = {
  /** Whether and how sessions outlast the app, as far as known. */
  readonly kept: SessionsKept;
  list(): Session[];
  get(connectionId: string): Session | undefined;
  /** Adds a session, or replaces the one with the same connection ID. */
  put(session: Session): Promise<void>;
  /**
   * Both:
   *
   * @throws ConnectionFailure `refused` if the change lasts only until the app exits
   */
  remove(connectionId: string): Promise<void>;
};

/** @param encryptsWithinMs changes would wait forever for an unresponsive keychain */
export async function openVault(path: string, keychain: Keychain, encryptsWithinMs = 30_000): Promise<Vault> {
  // A failing keychain counts as locked.
  const state = await keychain.state().catch(() => 'locked' as const);
  const sessions = new Map<string, Session>();
  const earlier: Earlier = state === 'open' ? await read(path, keychain) : { sessions: [], locked: true };
  const lasting = !earlier.locked;
  for (const session of earlier.sessions) sessions.set(session.connection.id, session);

  let lastWrite = Promise.resolve();
  let isWritten = true;
  /** Changes run one after the other, each on the current vault. */
  const save = async () => {
    const write = async () => {
      const content = { version: 1, sessions: [...sessions.values()] };
      try {
        if (sessions.size === 0) rmSync(path, { force: true });
        else {
          writeFileAtomically(
            path,
            await within(encryptsWithinMs, keychain.encrypt(JSON.stringify(content))),
          );
        }
        isWritten = true;
      } catch (error) {
        isWritten = false;
        throw notKept(error);
      }
    };
    if (!lasting) return;
    lastWrite = lastWrite.then(write, write);
    await lastWrite;
  };

  // The key was rotated, and data encrypted with the old one would be lost. If that fails, the data is still
  // readable: the next change reports it, or the next start retries.
  if (earlier.stale) await save().catch(() => {});
  isWritten = true;
  const unlasting = state === 'missing' ? 'missing' : 'locked';
  const atFirst = lasting ? (earlier.unreadable ? 'changed' : 'encrypted') : unlasting;

  return {
    get kept() {
      return isWritten ? atFirst : 'unwritten';
    },
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

async function within<Answer>(milliseconds: number, answer: Promise<Answer>): Promise<Answer> {
  const silent = Promise.withResolvers<never>();
  const timer = setTimeout(() => silent.reject(new Error('the keychain does not answer')), milliseconds);
  try {
    return await Promise.race([answer, silent.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const notKept = (error: unknown) =>
  new ConnectionFailure(
    'refused',
    /*i18n*/ "Couldn't save your sessions ({reason}). They last until you quit. Unlock the keychain or free up disk space, then retry.",
    { reason: error instanceof Error ? error.message : String(error) },
  );

type Earlier = { sessions: Session[]; stale?: boolean; unreadable?: boolean; locked?: boolean };

async function read(path: string, keychain: Keychain): Promise<Earlier> {
  const encrypted = readProfileFile(path);
  if (typeof encrypted === 'string') return { sessions: [], unreadable: encrypted === 'set-aside' };
  try {
    const decrypted = await keychain.decrypt(encrypted);
    if (decrypted === 'locked') return { sessions: [], locked: true };
    const content: unknown = readJson(decrypted.text);
    if (Value.Check(Content, content)) return { sessions: content.sessions, stale: decrypted.stale };
  } catch {
    // Data that can't be decrypted or parsed is handled below.
  }
  // Written with another key, by another version or by someone else: the user signs in again.
  setAside(path);
  return { sessions: [], unreadable: true };
}
