/**
 * Tests are written in the vendor dialect. Those that run on both engines speak the matrix one on one of them,
 * half of the files on SQLite and the others on PostgreSQL: what a test sends is translated, and what it gets
 * is translated back. So every test runs in both dialects, and neither dialect stands for an engine.
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

/** Whether a path is to be asked for in the matrix dialect; paths that are spelled in it already are left. */
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
