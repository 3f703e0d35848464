/**
 * Patterns that an operator wrote, on names that anyone may choose. Matching takes a time that grows with the
 * length of the name and no faster, whatever the pattern: RE2 has no look-around and no back references.
 */
import type { RE2JSSyntaxException } from 're2js';

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
