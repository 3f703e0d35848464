/**
 * The signed update feed. Each format is built separately and overwrites the feed, so earlier entries are kept here.
 */
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse, stringify } from 'yaml';
import { announcedBytes, signedFeed } from '../updates/update-feed.ts';

type UpdateFeed = { files: { url: string }[] };

/**
 * @param path of the feed; an earlier one is deleted
 * @param taken suffix of the packages that the app can update itself with; a feed without any isn't written
 * @param key that signs it; without one nothing looks for updates
 */
export function offeredUpdates(path: string, taken: string, key: KeyObject | undefined): { keep(): void } {
  rmSync(path, { force: true });
  let before: UpdateFeed | undefined;
  return {
    /**
     * Called after each format.
     *
     * @throws Error if an entry would be refused by every app
     */
    keep() {
      if (!existsSync(path)) return;
      const written: UpdateFeed = parse(readFileSync(path, 'utf8'));
      before ??= written;
      const files = new Map([...before.files, ...written.files].map((file) => [file.url, file]));
      before = { ...before, files: [...files.values()] };
      announcedBytes(before);
      if (!before.files.some(({ url }) => url.endsWith(taken))) return rmSync(path);
      // Quoted, because electron-updater's YAML would parse it as a date.
      const text = stringify(before, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' });
      writeFileSync(path, key ? signedFeed(basename(path), text, key) : text);
    },
  };
}
