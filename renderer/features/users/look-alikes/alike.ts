/** Who looks like somebody, among users that were looked through. */
import confusables from 'unhomoglyph/data.json';
import { isExpected, type UnexpectedEntry } from '../../../api/lenient.ts';
import type { UserListItem } from '../../../api/user-list.ts';
import { localpart } from './localpart.ts';

/** Unicode's table (TR39): for a character the one, or the few, that it is taken for. */
const prototypes: Readonly<Record<string, string>> = confusables;

/**
 * What is left of a text for the eye: two texts that look alike have the same. Unicode's skeleton (TR39), and more of
 * what is hard to tell apart in small type: upper and lower case, accents, `i` and `l`, `d` and `cl`, `w` and `vv`.
 * What stands between letters counts only where there is nothing else.
 */
function skeleton(text: string): string {
  // What has no look-alike as a capital can have one as a small letter: `m` is `rn`.
  const small = withoutMarks(prototype(withoutMarks(text))).toLowerCase();
  const seen = prototype(small).replace(/[idw]/g, (letter) => pairs[letter] ?? '');
  return seen.replace(/[^\p{L}\p{N}]+/gu, '') || seen.trim();
}

const pairs: Readonly<Record<string, string>> = { i: 'l', d: 'cl', w: 'vv' };

const prototype = (text: string) =>
  Array.from(text, (character) => prototypes[character] ?? character).join('');

const withoutMarks = (text: string) =>
  text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '');

/** Who is looked for: by what people see of them. */
export type Sought = {
  names: readonly string[];
  /** A person, whose look-alikes have the whole name, and who is none of them; of a text it is a part of names. */
  userId?: string | undefined;
};

type Page = { rows: readonly (UserListItem | UnexpectedEntry)[] };

/** Kept with the page: a search that changes looks through two hundred thousand names for each letter. */
const skeletons = new WeakMap<Page, string[][]>();

/** Those whose local part or display name looks like it, each once, in the order of the pages. */
export function alike(pages: readonly Page[], { names, userId }: Sought): UserListItem[] {
  const sought = [...new Set(names.map(skeleton))].filter((each) => each !== '');
  const isAlike = (seen: string) =>
    userId === undefined ? sought.some((part) => seen.includes(part)) : sought.includes(seen);
  const found = new Map<string, UserListItem>();
  for (const page of pages) {
    const seen = skeletonsOf(page);
    for (const [at, user] of page.rows.filter(isExpected).entries()) {
      if (user.name !== userId && seen[at]?.some(isAlike)) found.set(user.name, user);
    }
  }
  return [...found.values()];
}

function skeletonsOf(page: Page): string[][] {
  const known = skeletons.get(page);
  if (known) return known;
  const made = page.rows
    .filter(isExpected)
    .map(({ name, displayname }) => [localpart(name), displayname ?? ''].filter(Boolean).map(skeleton));
  skeletons.set(page, made);
  return made;
}
