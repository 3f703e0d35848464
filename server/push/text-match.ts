/**
 * Patterns that anyone may write, on text that anyone may write. Matrix specification, appendices, "Glob-style
 * matching". Whatever the two are, matching ends after a number of steps: a pattern that isn't done by then doesn't
 * match.
 */
import { globMatches, type Steps } from '../core/glob.ts';

/** As much of a message's text is looked at, in characters. */
const longestText = 8_000;

export type TextPattern = {
  /** Whether a whole value is what the pattern describes. */
  isWhole(value: string, steps: Steps): boolean;
  /** Whether it stands in a text as words of its own. */
  isIn(text: SearchedText, steps: Steps): boolean;
};

/** A text as patterns look at it, made once for all of them. */
export type SearchedText = { text: string };

export const searchedText = (text: string): SearchedText => ({
  text: text.slice(0, longestText).toLowerCase(),
});

/** Letter case does not count. */
export function textPattern(pattern: string): TextPattern {
  const folded = pattern.toLowerCase();
  if (!/[*?]/.test(folded)) return literal(folded);
  return {
    isWhole: (value, steps) => globMatches(folded, value.toLowerCase(), steps),
    isIn: ({ text }, steps) => {
      for (let start = 0; start <= text.length; start++) {
        if (steps.left <= 0) return false;
        steps.left--;
        if (!mayBegin(text, start)) continue;
        if (globBegins(folded, text, start, steps)) return true;
      }
      return false;
    },
  };
}

/** Text without anything that stands for something else. */
function literal(folded: string): TextPattern {
  return {
    isWhole: (value) => value.toLowerCase() === folded,
    isIn: ({ text }) => containsWords(text, folded),
  };
}

/** Whether words stand in a text by themselves, both in lower case. */
export function containsWords(text: string, words: string): boolean {
  if (words === '') return false;
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (mayBegin(text, at) && mayEnd(text, at + words.length)) return true;
  }
  return false;
}

const isWord = (character: string | undefined) =>
  character !== undefined &&
  (/^[a-z0-9_]$/.test(character) || /^[\p{L}\p{N}\p{M}\p{Pc}\p{Cs}]$/u.test(character));

/** A match begins at the start of the text, after what is no part of a word, or where a word begins or ends. */
const mayBegin = (text: string, at: number) => at === 0 || !isWord(text[at - 1]) || !isWord(text[at]);
const mayEnd = (text: string, at: number) => at === text.length || !isWord(text[at]) || !isWord(text[at - 1]);

/** Whether the pattern matches from a place on, and ends where a word may end. */
function globBegins(glob: string, text: string, start: number, steps: Steps): boolean {
  let [at, in_, star, resume] = [start, 0, -1, 0];
  for (;;) {
    if (steps.left-- <= 0) return false;
    if (in_ === glob.length && mayEnd(text, at)) return true;
    if (in_ < glob.length && glob[in_] === '*') {
      star = in_++;
      resume = at;
    } else if (at < text.length && in_ < glob.length && (glob[in_] === '?' || glob[in_] === text[at])) {
      in_++;
      at++;
    } else if (star !== -1 && resume < text.length) {
      in_ = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
}
