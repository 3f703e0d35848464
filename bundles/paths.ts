import { resolve } from 'node:path';

export const fromRoot = (path: string) => resolve(import.meta.dirname, '..', path);

/** Writes the licences of bundled packages, from which the packages' notices are made. */
export const licences = (name: string) => ({ fileName: `.vite/${name}.licences.json` });
