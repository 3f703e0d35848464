/**
 * Tests are written in the vendor dialect. One project runs them in the matrix dialect instead, so that every
 * endpoint is tested in both: what a test sends is translated, and what it gets is translated back.
 */
import { inject } from 'vitest';
import { dialects } from '../../shared/dialect.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The dialect in which the project's tests speak to their homeservers; the vendor's without it. */
    dialect?: 'matrix';
  }
}

const { vendor, matrix } = dialects;

const spellings: [string, string][] = [
  [`${vendor.administration}/`, `${matrix.administration}/`],
  [`${vendor.chat}/`, `${matrix.chat}/`],
  [vendor.jwtLoginType, matrix.jwtLoginType],
  [vendor.errorCodePrefix, matrix.errorCodePrefix],
];

/** Whether a path is to be asked for in the matrix dialect; paths that are spelled in it already are left. */
export const isTranslated = (path: string) =>
  inject('dialect') === 'matrix' &&
  [vendor.administration, vendor.chat].some((prefix) => path.startsWith(`${prefix}/`));

export const toMatrix = (text: string) =>
  spellings.reduce((translated, [from, to]) => translated.replaceAll(from, to), text);

export const fromMatrix = (text: string) =>
  spellings.reduce((translated, [to, from]) => translated.replaceAll(from, to), text);
