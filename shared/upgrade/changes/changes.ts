/** All notes of "Changes by release", and their API paths in a dialect. */
import type { Note } from '../../api/upgrade-plan.ts';
import type { Dialect } from '../../dialect.ts';
import { english, type Say } from '../../sentence.ts';
import { parseVersion, type Version } from '../version.ts';
import { releases32To59 } from './releases-32-to-59.ts';
import { releases60To89 } from './releases-60-to-89.ts';
import { releases90To129 } from './releases-90-to-129.ts';
import { releases130To161 } from './releases-130-to-161.ts';

export type DatedNote = { release: Version; note: Note };

/** All notes, oldest first, with the interface's own paths. */
export const changes: readonly DatedNote[] = [
  ...releases32To59,
  ...releases60To89,
  ...releases90To129,
  ...releases130To161,
].map((note) => ({ release: parseVersion(note.release), note }));

const firstRelease = changes[0]?.release;
const lastRelease = changes.at(-1)?.release;
if (!firstRelease || !lastRelease) throw new Error('there are no changes');

/** The first and the last release in the data. */
export const oldestRelease = firstRelease;
export const newestRelease = lastRelease;

/** Replaces paths and names in a text with those of a dialect's servers. */
export function spell(text: string, dialect: Dialect): string {
  const spelled = text
    .replaceAll('/_service', dialect.administration)
    .replaceAll('/_chat', dialect.chat)
    .replaceAll('IO.VENDOR', dialect.errorCodePrefix);
  // The interface has another name for the section ("named here …"); deployed servers have this one.
  return dialect.name === 'matrix'
    ? spelled.replaceAll('external_authentication_service', 'matrix_authentication_service')
    : spelled;
}

/** Returns a note with a dialect's paths, translated. */
export function spellNote(note: Note, dialect: Dialect, say: Say = english): Note {
  const all = (texts: string[]) => texts.map((text) => spell(text, dialect));
  return {
    ...note,
    settings: all(note.settings),
    endpoints: all(note.endpoints),
    text: spell(say(note.text), dialect),
    action: spell(say(note.action), dialect),
  };
}
