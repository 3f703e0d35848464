import { resolve } from 'node:path';

export const fromRoot = (path: string) => resolve(import.meta.dirname, '..', path);

/** Writes the licenses of bundled packages, for ThirdPartyNotices.txt. */
export const licences = (name: string) => ({ fileName: `.vite/${name}.licences.json` });
