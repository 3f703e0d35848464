/** Globs (Matrix specification, appendices, "Glob-style matching") and regular expressions. */
import type { RE2JSSyntaxException } from 're2js';

/** Budget for matching all patterns of one user on one event. */
export type Steps = { left: number };

/** Whether a glob matches a whole text, ignoring case. */
export const matchesGlob = (pattern: string, text: string): boolean =>
  globMatches([...pattern.toLowerCase()], [...text.toLowerCase()], { left: Number.POSITIVE_INFINITY });

/**
 * Like `matchesGlob`, for lower-case characters. False if no steps are left. Backtracks to the last star only, so it takes at
 * most the product of both lengths.
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

/** A regular expression that isn't valid in RE2. */
export class PatternError extends Error {
  /** @param reason doesn't quote the pattern */
  constructor(reason: string) {
    super(reason);
    this.name = 'PatternError';
  }
}

/**
 * Returns a function that tests whether a regular expression matches a whole text. RE2 matches in linear time: users choose
 * the texts.
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

/** Imported when needed: most servers have no patterns. */
const re2 = () => import('re2js');
