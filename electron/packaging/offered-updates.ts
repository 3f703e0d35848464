/**
 * The files in which a feed offers updates, signed. Each kind of package is built by itself and writes them anew, as if
 * there were no other: what was offered before stays.
 */
import type { KeyObject } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { announcedBytes, signedFeed } from '../update-feed.ts';

type Offered = { files: { url: string }[] };

/**
 * @param output where they are written; those of an earlier run go
 * @param key what they are signed with; without one nothing looks for updates
 */
export function offeredUpdates(output: string, key: KeyObject | undefined): { keep(): void } {
  const names = () => globSync('latest*.yml', { cwd: output });
  for (const name of names()) rmSync(join(output, name));
  const known = new Map<string, Offered>();
  return {
    /**
     * To be called after each kind.
     *
     * @throws Error where something is offered that every app would refuse
     */
    keep() {
      for (const name of names()) {
        const path = join(output, name);
        const written: Offered = parse(readFileSync(path, 'utf8'));
        const before = known.get(name) ?? written;
        const files = new Map([...before.files, ...written.files].map((file) => [file.url, file]));
        const all = { ...before, files: [...files.values()] };
        announcedBytes(all);
        known.set(name, all);
        // Quoted, as electron-updater's YAML would else read a text as a date.
        const text = stringify(all, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' });
        writeFileSync(path, key ? signedFeed(name, text, key) : text);
      }
    },
  };
}
