/**
 * Whether a glob matches the whole text: `*` any characters, `?` one. Backtracks only to the last `*`: globs are
 * untrusted, and a regular expression could backtrack exponentially.
 */
export function matchesGlob(glob: string, text: string): boolean {
  let [at, inGlob, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (inGlob < glob.length && glob[inGlob] === '*') {
      star = inGlob;
      mark = at;
      inGlob += 1;
    } else if (inGlob < glob.length && (glob[inGlob] === '?' || glob[inGlob] === text[at])) {
      at += 1;
      inGlob += 1;
    } else if (star !== -1) {
      inGlob = star + 1;
      mark += 1;
      at = mark;
    } else return false;
  }
  while (glob[inGlob] === '*') inGlob += 1;
  return inGlob === glob.length;
}
