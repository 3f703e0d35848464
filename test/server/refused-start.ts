/** Error messages in this process, as the command line prints them after `gatehouse: `. */
import { expect } from 'vitest';
import { settleData } from '../../server/administration/backup/pending-change.ts';
import { createHomeserver } from '../../server/app/homeserver.ts';
import { ConfigurationError } from '../../server/platform/config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../../server/platform/config/load.ts';

/** Returns the error message of a rejected command. */
export async function refusalOf({ dataDir }: ConfigSource, command: () => Promise<unknown>): Promise<string> {
  const error = await settleData(dataDir, () => {})
    .then(command)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigurationError);
  const { message } = error as ConfigurationError;
  expect(message).not.toContain('\n');
  return message;
}

/** Returns the error message of a rejected homeserver start. */
export const refusedStart = (source: ConfigSource): Promise<string> =>
  refusalOf(source, async () => {
    const homeserver = await createHomeserver(await loadConfig({ port: 0, console: false, ...source }));
    await homeserver.start().finally(() => homeserver.stop());
  });
