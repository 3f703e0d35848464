/**
 * Tests use the vendor dialect. Tests on both engines use the matrix dialect on one of them: half of the files on
 * SQLite, the others on PostgreSQL. Requests and replies are then translated. So every test runs in both dialects,
 * and neither dialect is tied to an engine.
 */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { expect, inject } from 'vitest';
import { dialects } from '../../shared/dialect.ts';
import { runsOnBothEngines } from './both-engines.ts';

const { vendor, matrix } = dialects;

const spellings: [string, string][] = [
  [`${vendor.administration}/`, `${matrix.administration}/`],
  [`${vendor.chat}/`, `${matrix.chat}/`],
  [vendor.jwtLoginType, matrix.jwtLoginType],
  [vendor.errorCodePrefix, matrix.errorCodePrefix],
];

/** Returns true if a path should be translated to the matrix dialect. Paths already in it aren't changed. */
export const isTranslated = (path: string) =>
  speaksMatrix() && [vendor.administration, vendor.chat].some((prefix) => path.startsWith(`${prefix}/`));

function speaksMatrix(): boolean {
  const file = relative(import.meta.dirname, expect.getState().testPath ?? '');
  if (!runsOnBothEngines(file)) return false;
  const onPostgres = inject('postgres') !== undefined;
  const half = (createHash('sha256').update(file).digest()[0] ?? 0) % 2 === 0;
  return onPostgres === half;
}

export const toMatrix = (text: string) =>
  spellings.reduce((translated, [from, to]) => translated.replaceAll(from, to), text);

export const fromMatrix = (text: string) =>
  spellings.reduce((translated, [to, from]) => translated.replaceAll(from, to), text);
