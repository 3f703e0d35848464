/**
 * The files in which a feed offers updates. Each kind of package is built by itself and writes them anew, as if there
 * were no other: what was offered before stays.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

type Offered = { version: string; files: { url: string }[] };

/** @param output where they are written; those of an earlier run go */
export function offeredUpdates(output: string): { keep(): void } {
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
        writeFileSync(path, stringify(all, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' }));
      }
    },
  };
}
