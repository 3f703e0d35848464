import { type ConfigSource, loadConfig } from '../config/load.ts';
import { shareDirectory } from '../database/claim.ts';
import { asCommandRefusal } from '../database/database.ts';
import { openServices, type Services } from '../services.ts';

/**
 * Works on a server's data without serving it, whether the server runs or not. Nobody replaces the data meanwhile.
 *
 * @throws ConfigurationError where it can't be opened or written, or is being replaced
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
