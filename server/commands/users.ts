import { createUser, type NewAccount } from '../accounts/create-user.ts';
import { type ConfigSource, loadConfig } from '../config/load.ts';
import { openServices } from '../services.ts';

/** Makes a user in the server's data. */
export async function addUser(source: ConfigSource, account: NewAccount): Promise<void> {
  const services = await openServices(await loadConfig(source));
  try {
    const userId = await createUser(services, account);
    process.stdout.write(`made ${userId}${account.admin ? ', an administrator' : ''}\n`);
  } finally {
    await services.db.destroy();
  }
}
