/** Two servers of one homeserver, with a shared database, key and media store. */
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import type { Homeserver } from '../../../server/app/homeserver.ts';
import { type Data, makeData } from '../database/data.ts';
import { type SignedIn, signIn } from '../database/logged-in-user.ts';
import { type Served, serveWith } from '../gatehouse.ts';
import { call, type Reply } from '../homeserver.ts';

export type Pair<Member extends { url: string } = Served> = {
  data: Data;
  one: Member;
  other: Member;
  /** An admin who calls the first server. */
  person: SignedIn;
  token: string;
  /** Calls a server as the admin, or with another token; an empty one means none. */
  at(member: Member, method: string, path: string, body?: unknown, token?: string): Promise<Reply>;
  /** A separate connection to their database. */
  database: Client;
  end(): Promise<void>;
};

const hook = fileURLToPath(new URL('../cheap-scrypt.ts', import.meta.url));
const cheapPasswords = { env: { ...process.env, NODE_OPTIONS: `--import ${hook}` } };

/** Starts two server processes, as an operator would. */
export const servePair = (settings: Record<string, unknown> = {}, args: Record<string, unknown> = {}) =>
  makePair<Served>(settings, args, {
    start: (data) => serveWith(cheapPasswords, ...data.source),
    end: (served) => served.end('SIGKILL'),
  });

/** Starts both servers in this process. */
export const startPair = (settings: Record<string, unknown> = {}, args: Record<string, unknown> = {}) =>
  makePair<Homeserver>(settings, args, {
    start: (data) => data.start(),
    end: (homeserver) => homeserver.stop(),
  });

/**
 * Starts two servers, named `one` and `other` in PostgreSQL's connection list.
 *
 * @param settings settings for `homeserver.yaml`
 * @param args the settings' `database.args`
 */
async function makePair<Member extends { url: string }>(
  settings: Record<string, unknown>,
  args: Record<string, unknown>,
  { start, end }: { start(data: Data): Promise<Member>; end(member: Member): Promise<unknown> },
): Promise<Pair<Member>> {
  const data = await makeData(settings);
  await data.configure({ ...args, application_name: 'one' });
  const one = await start(data);
  const person = await signIn(one.url);
  await data.configure({ ...args, application_name: 'other' });
  const other = await start(data);
  const login = await call(one.url, 'POST', '/_chat/client/v3/login', undefined, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: 'admin' },
    password: 'secret',
  });
  const token: string = login.body.access_token;
  // A database restart ends this connection.
  const database = await data.connect();
  database.on('error', () => {});
  return {
    data,
    one,
    other,
    person,
    token,
    at: (member, method, path, body, as = token) =>
      call(member.url, method, path, as === '' ? undefined : as, body),
    database,
    async end() {
      await Promise.all([end(one), end(other)]);
      await database.end().catch(() => {});
      await data.remove();
    },
  };
}
