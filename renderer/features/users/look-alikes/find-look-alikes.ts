import confusables from 'unhomoglyph/data.json';
import { isExpected, type UnexpectedEntry } from '../../../api/lenient.ts';
import type { UserListItem } from '../../../api/user-list.ts';
import { localpartOf } from '../../../transport/server-name.ts';

/** Unicode's confusables (TR39): maps a character to its prototype. */
const prototypes: Readonly<Record<string, string>> = confusables;

/**
 * Returns the text's skeleton (TR39), which is the same for texts that look alike. Also ignores differences that are hard
 * to see in small type: case, accents, `i` and `l`, `d` and `cl`, `w` and `vv`. Ignores punctuation, unless there is
 * nothing else.
 */
function skeleton(text: string): string {
  // Lowercase, then map again: `M` has no prototype, but `m` has `rn`.
  const lowercase = withoutMarks(prototype(withoutMarks(text))).toLowerCase();
  const mapped = prototype(lowercase).replace(/[idw]/g, (letter) => pairs[letter] ?? '');
  return mapped.replace(/[^\p{L}\p{N}]+/gu, '') || mapped.trim();
}

const pairs: Readonly<Record<string, string>> = { i: 'l', d: 'cl', w: 'vv' };

const prototype = (text: string) =>
  Array.from(text, (character) => prototypes[character] ?? character).join('');

const withoutMarks = (text: string) =>
  text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '');

/** The user or text to find look-alikes of. */
export type Target = {
  names: readonly string[];
  /** If set, only whole names match, and this user is excluded. Otherwise parts of names match. */
  userId?: string | undefined;
};

type Page = { rows: readonly (UserListItem | UnexpectedEntry)[] };

/** Cached per page: every typed letter searches up to 200,000 names again. */
const skeletons = new WeakMap<Page, string[][]>();

/** Returns the users whose local part or display name looks like the target, without duplicates. */
export function findLookAlikes(pages: readonly Page[], { names, userId }: Target): UserListItem[] {
  const targets = [...new Set(names.map(skeleton))].filter((each) => each !== '');
  const isAlike = (name: string) =>
    userId === undefined ? targets.some((part) => name.includes(part)) : targets.includes(name);
  const matches = new Map<string, UserListItem>();
  for (const page of pages) {
    const names = skeletonsOf(page);
    for (const [index, user] of page.rows.filter(isExpected).entries()) {
      if (user.name !== userId && names[index]?.some(isAlike)) matches.set(user.name, user);
    }
  }
  return [...matches.values()];
}

function skeletonsOf(page: Page): string[][] {
  const cached = skeletons.get(page);
  if (cached) return cached;
  const computed = page.rows
    .filter(isExpected)
    .map(({ name, displayname }) => [localpartOf(name), displayname ?? ''].filter(Boolean).map(skeleton));
  skeletons.set(page, computed);
  return computed;
}
