import { createUser, type NewAccount } from '../accounts/create-user.ts';
import { issueSignInToken } from '../accounts/local-administrator.ts';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../config/load.ts';
import { requireData, withServices } from './with-services.ts';

const lifetime = 10 * 60_000;

/**
 * Prints a link that signs the person at this machine in to the console, once, as an administrator; for
 * a server that runs, or is started before the link has run out.
 *
 * @param consoleUrl where the console is; without it, where the configuration has the server listen
 * @throws ConfigurationError where there is no server's data, or the configuration doesn't say
 */
export async function printSignInLink(source: ConfigSource, consoleUrl: string | undefined): Promise<void> {
  const config = await loadConfig(source);
  requireData(config);
  const page = consoleUrl ?? consoleOf(config);
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

/** Makes a user in the server's data. */
export const addUser = (source: ConfigSource, account: NewAccount): Promise<void> =>
  withServices(source, async (services) => {
    const userId = await createUser(services, account);
    process.stdout.write(`Created ${userId}${account.admin ? ' (server admin)' : ''}\n`);
  });
