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
