import type { RE2JSSyntaxException } from 're2js';

/** Patterns in which `*` stands for any text and `?` for one character. Matrix specification, appendices, "Glob-style matching". */

/** How many steps are left for all patterns of one user on one event. */
export type Steps = { left: number };

/** Whether a text is, as a whole, what a pattern describes. Letter case does not count. */
export const matchesGlob = (pattern: string, text: string): boolean =>
  globMatches([...pattern.toLowerCase()], [...text.toLowerCase()], { left: Number.POSITIVE_INFINITY });

/**
 * The same, of what is in small letters already; without steps left it doesn't match. The usual way with two marks:
 * behind a star it goes on one character later. That takes the product of both lengths at most.
 */
export function globMatches(glob: ArrayLike<string>, text: ArrayLike<string>, steps: Steps): boolean {
  let [at, in_, star, resume] = [0, 0, -1, 0];
  while (at < text.length) {
    if (steps.left-- <= 0) return false;
    if (glob[in_] === '*') {
      star = in_++;
      resume = at;
    } else if (in_ < glob.length && (glob[in_] === '?' || glob[in_] === text[at])) {
      in_++;
      at++;
    } else if (star !== -1) {
      in_ = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (glob[in_] === '*') in_++;
  return in_ === glob.length;
}

/**
 * Patterns that an operator wrote, on names that anyone may choose. Matching takes a time that grows with the
 * length of the name and no faster, whatever the pattern: RE2 has no look-around and no back references.
 */

/** What is no pattern, or one that can't be matched in a bounded time. */
export class PatternError extends Error {
  /** @param reason a few words that quote nothing of the pattern */
  constructor(reason: string) {
    super(reason);
    this.name = 'PatternError';
  }
}

/**
 * A function that says whether a text is, as a whole, what a regular expression describes.
 *
 * @throws PatternError
 */
export async function wholePattern(expression: string): Promise<(text: string) => boolean> {
  const { RE2JS } = await re2();
  try {
    const compiled = RE2JS.compile(expression);
    return (text) => compiled.testExact(text);
  } catch (error) {
    throw new PatternError((error as RE2JSSyntaxException).error);
  }
}

/** Loaded where a pattern is used: most servers start without it. */
const re2 = () => import('re2js');
