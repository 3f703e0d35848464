/** `gatehouse users`. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { createUser, type NewAccount } from '../../identity/accounts/create-user.ts';
import { issueSignInToken } from '../../identity/accounts/local-administrator.ts';
import { listUsers } from '../../identity/accounts/user-list-store.ts';
import type { User } from '../../identity/accounts/user-store.ts';
import { findServingUrl } from '../../platform/cluster/serving-url.ts';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../../platform/config/load.ts';
import { requireData, withServices } from './with-services.ts';

export type PasswordOptions = { password?: string; passwordStdin?: boolean };

/**
 * Returns the password from the option, from standard input, or from a prompt if there is a terminal.
 *
 * @throws ConfigurationError if the password is empty or missing
 */
export async function readPassword({ password, passwordStdin }: PasswordOptions): Promise<string> {
  if (password !== undefined) return requireSome(password, '--password');
  if (passwordStdin) return requireSome(await readStandardInput(), '--password-stdin');
  if (!process.stdin.isTTY) {
    throw new ConfigurationError(
      '--password-stdin',
      'no password given and no terminal to prompt for one',
      'add --password-stdin to read it from standard input',
    );
  }
  const entered = requireSome(await ask('Password: '), 'Password');
  if ((await ask('Repeat password: ')) !== entered) {
    throw new ConfigurationError('Password', "passwords don't match", 'run the command again');
  }
  return entered;
}

function requireSome(password: string, name: string): string {
  if (password === '') throw new ConfigurationError(name, 'the password is empty', 'set a password');
  return password;
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '');
}

/** Asks without echo. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
  terminal.once('SIGINT', () => {
    terminal.close();
    process.stderr.write('\n');
    process.exit(130);
  });
  const answer = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return answer;
}

const lifetime = 10 * 60_000;

/**
 * Prints a single-use sign-in link for the console as an admin, for a server that runs or is started before the link
 * expires.
 *
 * @param consoleUrl default: that of the running server, or of the first listener in the configuration
 * @throws ConfigurationError if there is no data, or the console's URL is unknown
 */
export async function printSignInLink(source: ConfigSource, consoleUrl: string | undefined): Promise<void> {
  const config = await loadConfig(source);
  requireData(config);
  const running = findServingUrl(config.dataDir);
  const page = consoleUrl ?? (running === undefined ? consoleOf(config) : `${running}/console/`);
  await withServices(source, async (services) => {
    const token = await issueSignInToken(services, lifetime);
    process.stdout.write(`${page.replace(/\/*$/, '/')}#login_token=${token}\n`);
  });
}

function consoleOf({ listeners: [listener] }: Config): string {
  if (!listener || listener.port === 0) {
    throw new ConfigurationError(
      '--console',
      'no fixed port in the configuration',
      'set the console URL, such as http://127.0.0.1:8008/console/',
    );
  }
  const [bound = ''] = listener.bindAddresses;
  const host = ['', '::', '0.0.0.0'].includes(bound)
    ? 'localhost'
    : bound.includes(':')
      ? `[${bound}]`
      : bound;
  return `${listener.tls ? 'https' : 'http'}://${host}:${listener.port}/console/`;
}

export const addUser = (source: ConfigSource, account: NewAccount): Promise<void> =>
  withServices(source, async (services) => {
    const userId = await createUser(services, account);
    process.stdout.write(`Created ${userId}${account.admin ? ' (server admin)' : ''}\n`);
  });

/** In users. */
const pageSize = 500;

/** Prints a line for each user: the ID and the account's properties, such as admin. */
export async function printUsers(source: ConfigSource): Promise<void> {
  requireData(await loadConfig(source));
  await withServices(source, async ({ db }) => {
    const all = { guests: true, deactivated: true, locked: true } as const;
    for (let from = 0; ; from += pageSize) {
      const order = { orderBy: 'name', direction: 'f' } as const;
      const { users, total } = await listUsers(db, { from, limit: pageSize, ...order, ...all });
      process.stdout.write(users.map((user) => `${lineOf(user)}\n`).join(''));
      if (from + pageSize >= total) return;
    }
  });
}

function lineOf({ userId, admin, userType, guest, deactivated, locked, suspended }: User): string {
  const marks = [
    ...(admin ? ['server admin'] : []),
    ...(guest ? ['guest'] : []),
    ...(userType === null ? [] : [userType]),
    ...(deactivated ? ['deactivated'] : []),
    ...(locked ? ['locked'] : []),
    ...(suspended ? ['suspended'] : []),
  ];
  return marks.length === 0 ? userId : `${userId} (${marks.join(', ')})`;
}
