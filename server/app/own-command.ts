import { fileURLToPath } from 'node:url';

/** The command line as it can be typed in any folder: `npx gatehouse` is another package outside the checkout. */
export const ownCommand = `node ${quoted(fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url)))}`;

/** A path as one word in a shell. */
export function quoted(path: string): string {
  return /^[\w./:\\@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
