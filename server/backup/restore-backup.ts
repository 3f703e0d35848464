/** Putting a backup back: all of it or nothing, where nothing is yet. Design: "The command line". */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';
import { Value } from 'typebox/value';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { loadConfig } from '../config/load.ts';
import {
  createDigest,
  databaseEntry,
  keyEntry,
  largestManifest,
  Manifest,
  manifestEntry,
  mediaFolder,
  settingsEntry,
} from './archive.ts';
import { requireOwnDatabase } from './write-backup.ts';

export type Restored = { manifest: Manifest; config: Config; settingsFile: string | undefined };

/**
 * Reads the archive once to see that it is whole, and a second time to put it where the configuration says. The
 * configuration is the given one, or else the archive's own, which is then written to the data directory, too.
 *
 * @throws ConfigurationError where the archive is broken, or something is there already; nothing is left behind
 */
export async function restoreBackup(
  archive: string,
  { file, dataDir: given }: { file?: string | undefined; dataDir: string },
): Promise<Restored> {
  const dataDir = resolve(given);
  const { manifest, settings } = await readBackup(archive);
  const own = join(dataDir, settingsEntry);
  const settingsFile = file === undefined && settings !== undefined ? own : undefined;
  const config = await loadConfig({
    dataDir,
    file: file ?? settingsFile,
    ...(settingsFile && { text: settings }),
  });
  requireOwnDatabase(config);
  if (config.serverName !== manifest.server_name) {
    throw new ConfigurationError(
      'server_name',
      `the backup is of ${manifest.server_name}, and every identifier in it says so`,
      `write ${manifest.server_name}`,
    );
  }
  await requireNothing(config, settingsFile);

  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dataDir, 'restore-in-progress-'));
  try {
    await unpack(archive, folder);
    await moveAll(movesFor(config, settingsFile).map(([from, to]) => [join(folder, from), to]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { manifest, config, settingsFile };
}

/** The database last: with it, there is a server. */
const movesFor = (
  { database, signingKeyPath, mediaStorePath }: Config,
  settingsFile: string | undefined,
): [from: string, to: string][] => [
  ...(settingsFile ? [[settingsEntry, settingsFile] as [string, string]] : []),
  [mediaFolder, mediaStorePath],
  [keyEntry, signingKeyPath],
  [databaseEntry, database.name === 'sqlite3' ? database.file : ''],
];

/** All of them or none. */
async function moveAll(moves: [from: string, to: string][]): Promise<void> {
  const moved: string[] = [];
  try {
    for (const [from, to] of moves) {
      await move(from, to);
      moved.push(to);
    }
  } catch (error) {
    for (const to of moved) await rm(to, { recursive: true, force: true });
    throw error;
  }
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    // There was none of it to be backed up.
    if (error.code !== 'ENOENT') throw error;
  });
}

async function requireNothing(
  { dataDir, ...config }: Config,
  settingsFile: string | undefined,
): Promise<void> {
  const places = [dataDir, ...movesFor({ dataDir, ...config }, settingsFile).map(([, to]) => to)];
  for (const place of places) {
    const found = await readdir(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      if (error.code === 'ENOTDIR') return [place];
      throw error;
    });
    // The configuration that was named may be there.
    if (found.every((name) => join(place, name) === config.file)) continue;
    throw new ConfigurationError(
      '--data-dir',
      `there is something at ${place} already, which a restore doesn't touch`,
      'name a directory that is empty or not there yet',
    );
  }
}

const broken = (archive: string, what: string) =>
  new ConfigurationError(archive, `it is no whole backup: ${what}`, 'take another one; nothing was changed');

/**
 * Reads all of it: what it says of itself, and the configuration in it.
 *
 * @throws ConfigurationError where it isn't what was written
 */
export async function readBackup(
  archive: string,
): Promise<{ manifest: Manifest; settings: string | undefined }> {
  const digest = createDigest();
  let list: unknown;
  let settings: string | undefined;
  await eachEntry(archive, async ({ name, size }, content) => {
    if (list !== undefined) throw broken(archive, 'there is more after its end');
    if (name === manifestEntry) {
      if (size > largestManifest) throw broken(archive, 'its end is too long');
      list = parsed(await buffer(content));
      return;
    }
    digest.begin(name, size);
    const chunks: Buffer[] = [];
    for await (const chunk of content) {
      digest.add(chunk);
      if (name === settingsEntry) chunks.push(chunk);
    }
    if (name === settingsEntry) settings = Buffer.concat(chunks).toString();
  });
  if (!Value.Check(Manifest, list)) throw broken(archive, 'its end is missing');
  const { files, sha256 } = digest.end();
  if (files !== list.files || sha256 !== list.sha256) throw broken(archive, 'it was changed or damaged');
  return { manifest: list, settings };
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
};

async function unpack(archive: string, folder: string): Promise<void> {
  const made = new Set<string>();
  await eachEntry(archive, async ({ name }, content) => {
    const path = join(folder, name);
    const parent = dirname(path);
    if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
    made.add(parent);
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  });
}

/** What this program writes into an archive; a name can't lead anywhere else. */
const known = new Set([databaseEntry, keyEntry, settingsEntry, manifestEntry]);
const mediaName = /^media(\/[\w-]{1,255}){2,6}$/;

async function eachEntry(
  archive: string,
  take: (header: { name: string; size: number }, content: Readable) => Promise<void>,
): Promise<void> {
  const entries = extract();
  const read = pipeline(createReadStream(archive), entries);
  read.catch(() => {});
  try {
    for await (const entry of entries) {
      const { name, size = 0, type } = entry.header as Header;
      if (type !== 'file' || !(known.has(name) || mediaName.test(name)))
        throw broken(archive, 'it holds what none does');
      await take({ name, size }, entry as unknown as Readable);
      entry.resume();
    }
    await read;
  } catch (error) {
    entries.destroy();
    if (error instanceof ConfigurationError) throw error;
    // What the system says of a file names it; the rest is the reader's of archives.
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    throw broken(archive, (error as Error).message.toLowerCase());
  }
}
