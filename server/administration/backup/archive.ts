/**
 * What a backup is: a tar archive of files by fixed names, and at its end how many they are and what they come to. One that
 * was broken off has no such end, and one that was changed comes to something else.
 */
import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';

export const databaseEntry = 'homeserver.db';
export const keyEntry = 'signing.key';
export const settingsEntry = 'homeserver.yaml';
export const mediaFolder = 'media/';
export const manifestEntry = 'manifest.json';

/** The list's own size has a bound, in bytes: it is read into memory before anything is known of it. */
export const largestManifest = 64 * 1024;

export const Manifest = Type.Object({
  format: Type.Literal('gatehouse-backup-1'),
  server_name: Type.String(),
  server_version: Type.String(),
  /** In milliseconds since the Unix epoch; no later than dates go. */
  made_ts: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  /** How many files there are before this one, and the digest of their names, sizes and contents, in their order. */
  files: Type.Integer(),
  sha256: Type.String(),
});
export type Manifest = Static<typeof Manifest>;

/** Follows the files of an archive as they come, on the way in and on the way out. */
export function createDigest() {
  const whole = createHash('sha256');
  let files = 0;
  return {
    begin(name: string, size: number) {
      files++;
      whole.update(`${name}\0${size}\0`);
    },
    add: (chunk: Uint8Array) => void whole.update(chunk),
    end: () => ({ files, sha256: whole.digest('hex') }),
  };
}
