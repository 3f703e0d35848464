import { existsSync } from 'node:fs';
import { shareDirectory } from '../../platform/cluster/claim.ts';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../../platform/config/load.ts';
import { asCommandRefusal } from '../../platform/database/database.ts';
import { openServices, type Services } from '../services.ts';

/**
 * Works on a server's data without serving it, whether the server is running or not. Prevents the data from being replaced.
 *
 * @throws ConfigurationError if the data can't be opened or written, or is being replaced
 */
export async function withServices(
  source: ConfigSource,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  const config = await loadConfig(source);
  const share = shareDirectory(config.dataDir);
  try {
    const services = await openServices(config);
    await work(services)
      .catch(async (error) => {
        throw await asCommandRefusal(error, config.database);
      })
      .finally(() => services.db.destroy());
  } finally {
    await share.release();
  }
}

/** @throws ConfigurationError if the data directory has no SQLite database */
export function requireData({ dataDir, database }: Config): void {
  if (database.name !== 'sqlite3' || existsSync(database.file)) return;
  throw new ConfigurationError(
    '--data-dir',
    `no homeserver data in ${dataDir}`,
    'set the directory that the server uses',
  );
}
