/** Two processes of one homeserver, as an operator runs them: on one database, with one key and one media store. */
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { type Data, makeData } from '../database/data.ts';
import { type SignedIn, signIn } from '../database/person.ts';
import { type Served, serveWith } from '../gatehouse.ts';
import { call, type Reply } from '../homeserver.ts';

export type Pair = {
  data: Data;
  one: Served;
  other: Served;
  /** An administrator, who calls the first of them. */
  person: SignedIn;
  token: string;
  /** Calls one of them, as the administrator unless another token is given; an empty one is none. */
  at(served: Served, method: string, path: string, body?: unknown, token?: string): Promise<Reply>;
  /** Beside both, in their database. */
  database: Client;
  end(): Promise<void>;
};

const hook = fileURLToPath(new URL('../cheap-scrypt.ts', import.meta.url));
const cheapPasswords = { env: { ...process.env, NODE_OPTIONS: `--import ${hook}` } };

/**
 * Starts two, which PostgreSQL's lists of connections call `one` and `other`.
 *
 * @param settings of `homeserver.yaml`
 * @param args of its database
 */
export async function servePair(
  settings: Record<string, unknown> = {},
  args: Record<string, unknown> = {},
): Promise<Pair> {
  const data = await makeData(settings);
  await data.configure({ ...args, application_name: 'one' });
  const one = await serveWith(cheapPasswords, ...data.source);
  const person = await signIn(one.url);
  await data.configure({ ...args, application_name: 'other' });
  const other = await serveWith(cheapPasswords, ...data.source);
  const login = await call(one.url, 'POST', '/_chat/client/v3/login', undefined, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: 'admin' },
    password: 'secret',
  });
  const token: string = login.body.access_token;
  // What ends it at a restart of the server is no fault.
  const database = await data.connect();
  database.on('error', () => {});
  return {
    data,
    one,
    other,
    person,
    token,
    at: (served, method, path, body, as = token) =>
      call(served.url, method, path, as === '' ? undefined : as, body),
    database,
    async end() {
      await Promise.all([one.end('SIGKILL'), other.end('SIGKILL')]);
      await database.end().catch(() => {});
      await data.remove();
    },
  };
}
