/** `gatehouse backup` and `gatehouse restore`. */
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { restoreBackup } from '../../administration/backup/restore-backup.ts';
import { requireKeptDatabase, writeBackup } from '../../administration/backup/write-backup.ts';
import { shareDirectory } from '../../platform/cluster/claim.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { type ConfigSource, loadConfig } from '../../platform/config/load.ts';
import { isNoRoom } from '../../platform/core/files.ts';
import { ownCommand, quoted } from '../own-command.ts';
import { requireData } from './with-services.ts';

/**
 * Backs up a running or stopped server to a private file, which gets its name when it is complete.
 *
 * @throws ConfigurationError if there is no data, or the file exists or can't be written
 */
export async function backUp(source: ConfigSource, target: string): Promise<void> {
  const config = await loadConfig(source);
  requireKeptDatabase(config);
  const file = resolve(target);
  const { database } = config;
  requireData(config);
  if (existsSync(file)) {
    throw new ConfigurationError(file, 'file already exists', 'choose another name');
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
  process.stdout.write(`Backed up ${config.serverName} to ${file} (contains all secrets of the server)\n`);
}

const notWritten = (file: string, { code }: NodeJS.ErrnoException) =>
  new ConfigurationError(file, `can't write the file (${code})`, 'choose an existing, writable directory');

const noRoomFor = (file: string) =>
  new ConfigurationError(
    file,
    'not enough disk space for the backup; the unfinished file was deleted',
    'free up space or choose a file on another disk',
  );

/** @throws ConfigurationError if the file isn't a complete backup, or the directory isn't empty */
export async function restore(source: ConfigSource, archive: string): Promise<void> {
  const file = resolve(archive);
  if (!existsSync(file)) throw new ConfigurationError(file, 'file not found', 'check the path of the backup');
  const { manifest, config, settingsFile, leftOut } = await restoreBackup(file, source);
  const settings = settingsFile ?? source.file;
  const made = new Date(manifest.made_ts).toISOString();
  if (leftOut.length > 0) {
    process.stdout.write(
      `Skipped unknown tables: ${leftOut.map((table) => JSON.stringify(table)).join(', ')}\n`,
    );
  }
  process.stdout.write(
    `Restored ${manifest.server_name} to ${config.dataDir} (backup created ${made})\n` +
      `Start it with: ${ownCommand} serve --data-dir ${quoted(config.dataDir)}` +
      `${settings === undefined ? '' : ` --config ${quoted(resolve(settings))}`}\n`,
  );
}
