/**
 * The files in which a feed offers updates, signed. Each kind of package is built by itself and writes them anew, as if
 * there were no other: what was offered before stays.
 */
import type { KeyObject } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { signatureOf } from '../update-feed.ts';

type Offered = Parameters<typeof signatureOf>[0];

/**
 * @param output where they are written; those of an earlier run go
 * @param key what they are signed with; without one nothing looks for updates
 */
export function offeredUpdates(output: string, key: KeyObject | undefined): { keep(): void } {
  const paths = () => globSync('latest*.yml', { cwd: output }).map((name) => join(output, name));
  for (const path of paths()) rmSync(path);
  const known = new Map<string, Offered>();
  return {
    /** To be called after each kind. */
    keep() {
      for (const path of paths()) {
        const written: Offered = parse(readFileSync(path, 'utf8'));
        const before = known.get(path) ?? written;
        const isNew = ({ url }: { url: string }) => before.files.every((file) => file.url !== url);
        const all = { ...before, files: [...before.files, ...written.files.filter(isNew)] };
        known.set(path, all);
        // Quoted, as electron-updater's YAML would else read a text as a date.
        const offered = key ? { ...all, signature: signatureOf(all, key) } : all;
        writeFileSync(
          path,
          stringify(offered, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' }),
        );
      }
    },
  };
}
