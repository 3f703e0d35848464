/**
 * The file in which a feed offers updates, signed. Each kind of package is built by itself and writes it anew, as if
 * there were no other: what was offered before stays.
 */
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse, stringify } from 'yaml';
import { announcedBytes, signedFeed } from '../updates/update-feed.ts';

type Offered = { files: { url: string }[] };

/**
 * @param path where it is written; that of an earlier run goes
 * @param taken how the names of the packages end that the app updates itself with; a feed without one is not written
 * @param key what it is signed with; without one nothing looks for updates
 */
export function offeredUpdates(path: string, taken: string, key: KeyObject | undefined): { keep(): void } {
  rmSync(path, { force: true });
  let before: Offered | undefined;
  return {
    /**
     * To be called after each kind.
     *
     * @throws Error where something is offered that every app would refuse
     */
    keep() {
      if (!existsSync(path)) return;
      const written: Offered = parse(readFileSync(path, 'utf8'));
      before ??= written;
      const files = new Map([...before.files, ...written.files].map((file) => [file.url, file]));
      before = { ...before, files: [...files.values()] };
      announcedBytes(before);
      if (!before.files.some(({ url }) => url.endsWith(taken))) return rmSync(path);
      // Quoted, as electron-updater's YAML would else read a text as a date.
      const text = stringify(before, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' });
      writeFileSync(path, key ? signedFeed(basename(path), text, key) : text);
    },
  };
}
