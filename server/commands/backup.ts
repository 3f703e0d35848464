/** `gatehouse backup` and `gatehouse restore`. */
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { restoreBackup } from '../backup/restore-backup.ts';
import { requireKeptDatabase, writeBackup } from '../backup/write-backup.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../config/load.ts';
import { isNoRoom } from '../core/disk-errors.ts';
import { shareDirectory } from '../database/claim.ts';
import { ownCommand, quoted } from './own-command.ts';
import { requireData } from './with-services.ts';

/**
 * Copies a server into a file that nobody else can read, whether it runs or not. The file has its name when it is
 * whole.
 *
 * @throws ConfigurationError where there is nothing to copy, a file of that name, or no way to write one
 */
export async function backUp(source: ConfigSource, target: string): Promise<void> {
  const config = await loadConfig(source);
  requireKeptDatabase(config);
  const file = resolve(target);
  const { database } = config;
  requireData(config);
  if (existsSync(file)) {
    throw new ConfigurationError(file, 'there is a file of that name already', 'name another one');
  }
  const unfinished = `${file}.unfinished`;
  const share = database.name === 'sqlite3' ? shareDirectory(config.dataDir) : undefined;
  try {
    const output = await open(unfinished, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw notWritten(file, error);
    });
    await writeBackup(config, output.createWriteStream({ flush: true }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw isNoRoom(error) ? noRoomFor(file) : error;
  } finally {
    await share?.release();
  }
  process.stdout.write(`backed up ${config.serverName} to ${file}, which holds every secret of the server\n`);
}

const notWritten = (file: string, { code }: NodeJS.ErrnoException) =>
  new ConfigurationError(
    file,
    `it can't be written (${code})`,
    'name a file in a directory that is there and that this user may write to',
  );

const noRoomFor = (file: string) =>
  new ConfigurationError(
    file,
    'its disk has no room left for the backup, and nothing of it was left there',
    'make room, or name a file on another disk',
  );

/** @throws ConfigurationError where the file is no whole backup, or something is there already */
export async function restore(source: ConfigSource, archive: string): Promise<void> {
  const file = resolve(archive);
  if (!existsSync(file)) throw new ConfigurationError(file, 'no such file', 'name a backup file');
  const { manifest, config, settingsFile, leftOut } = await restoreBackup(file, source);
  const settings = settingsFile ?? source.file;
  const made = new Date(manifest.made_ts).toISOString();
  if (leftOut.length > 0) {
    process.stdout.write(
      `left out what is no table of a homeserver: ${leftOut.map((table) => JSON.stringify(table)).join(', ')}\n`,
    );
  }
  process.stdout.write(
    `restored ${manifest.server_name} as it was at ${made} to ${config.dataDir}\n` +
      `start it with: ${ownCommand} serve --data-dir ${quoted(config.dataDir)}` +
      `${settings === undefined ? '' : ` --config ${quoted(resolve(settings))}`}\n`,
  );
}
