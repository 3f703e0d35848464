/** Reads and verifies a backup. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';
import { Value } from 'typebox/value';
import { readJson } from '../../../shared/read-json.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import {
  createDigest,
  databaseEntry,
  keyEntry,
  largestManifest,
  Manifest,
  manifestEntry,
  settingsEntry,
} from './archive.ts';
import { largestPostgresEntry, PostgresContent, postgresEntry, rowsName } from './copy-postgres.ts';

/**
 * Reads a whole archive, and returns its short entries.
 *
 * @throws ConfigurationError if it is damaged or no backup
 */
export async function readBackup(archive: string): Promise<Backup> {
  const digest = createDigest();
  const read = new Map<string, Buffer>();
  await eachEntry(archive, async ({ name, size }, content) => {
    if (read.has(manifestEntry)) throw broken(archive, 'unexpected data after the end');
    const largest = largestRead[name];
    if (size > (largest ?? size)) throw broken(archive, `${name} is too large`);
    if (name !== manifestEntry) digest.begin(name, size);
    const chunks: Buffer[] = [];
    for await (const chunk of content) {
      if (name !== manifestEntry) digest.add(chunk);
      if (largest !== undefined) chunks.push(chunk);
    }
    if (largest !== undefined) read.set(name, Buffer.concat(chunks));
  });
  const manifest = parsed(read.get(manifestEntry));
  if (!Value.Check(Manifest, manifest)) throw broken(archive, 'the file is truncated');
  const { files, sha256 } = digest.end();
  if (files !== manifest.files || sha256 !== manifest.sha256) throw broken(archive, 'checksum mismatch');
  const postgres = read.has(postgresEntry) ? parsed(read.get(postgresEntry)) : undefined;
  if (postgres !== undefined && !Value.Check(PostgresContent, postgres)) {
    throw broken(archive, 'invalid table list');
  }
  return { manifest, settings: read.get(settingsEntry)?.toString(), postgres };
}

type Backup = {
  manifest: Manifest;
  settings: string | undefined;
  /** Undefined if the database is SQLite. */
  postgres: PostgresContent | undefined;
};

/** Entries that are read into memory, with their maximum size in bytes. */
const largestRead: Record<string, number> = {
  [manifestEntry]: largestManifest,
  [postgresEntry]: largestPostgresEntry,
  [settingsEntry]: 1024 * 1024,
};

const parsed = (bytes: Buffer | undefined): unknown => {
  try {
    return readJson(String(bytes));
  } catch {
    return null;
  }
};

export const broken = (archive: string, what: string) =>
  new ConfigurationError(archive, `damaged backup: ${what}`, 'use another backup; nothing was changed');

const noArchive = (archive: string, what = 'not a tar archive') =>
  new ConfigurationError(
    archive,
    `not a backup: ${what}`,
    'use a file written by `gatehouse backup`, and decompress it first if it was compressed; nothing was changed',
  );

/** Other names are refused, so that no entry leads outside the target. */
const known = new Set([databaseEntry, postgresEntry, keyEntry, settingsEntry, manifestEntry]);
const mediaName = /^media(\/[\w-]{1,255}){2,6}$/;

/** Calls back for each entry. @throws ConfigurationError if the archive is damaged or has an unknown entry */
export async function eachEntry(
  archive: string,
  take: (header: { name: string; size: number }, content: Readable) => Promise<void>,
): Promise<void> {
  const entries = extract();
  const read = pipeline(createReadStream(archive), entries);
  read.catch(() => {});
  let begun = false;
  try {
    for await (const entry of entries) {
      begun = true;
      const { name, size = 0, type } = entry.header as Header;
      if (type !== 'file' || !(known.has(name) || mediaName.test(name) || rowsName.test(name)))
        throw broken(archive, 'unexpected entry in the archive');
      await take({ name, size }, entry as unknown as Readable);
      entry.resume();
    }
    await read;
  } catch (error) {
    entries.destroy();
    if (error instanceof ConfigurationError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') throw noArchive(archive, 'it is a directory');
    // Errors of the file system name the file; others are the tar reader's.
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    if (!begun) throw noArchive(archive);
    throw broken(archive, 'the archive is truncated or damaged');
  }
}
