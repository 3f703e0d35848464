/** Refusals in this process: what the command line prints after `gatehouse: `. */
import { expect } from 'vitest';
import { settleData } from '../../server/administration/backup/pending-change.ts';
import { createHomeserver } from '../../server/app/homeserver.ts';
import { ConfigurationError } from '../../server/platform/config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../../server/platform/config/load.ts';

/** Returns the line that refuses a command. */
export async function refusalOf({ dataDir }: ConfigSource, command: () => Promise<unknown>): Promise<string> {
  const error = await settleData(dataDir, () => {})
    .then(command)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigurationError);
  const { message } = error as ConfigurationError;
  expect(message).not.toContain('\n');
  return message;
}

/** Returns the line that refuses to start a homeserver. */
export const refusedStart = (source: ConfigSource): Promise<string> =>
  refusalOf(source, async () => {
    const homeserver = await createHomeserver(await loadConfig({ port: 0, console: false, ...source }));
    await homeserver.start().finally(() => homeserver.stop());
  });
