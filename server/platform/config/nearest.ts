import { closest, distance } from 'fastest-levenshtein';

/** Of the known names the one that a mistyped one was most likely meant to be; undefined where none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(name, known);
  // Names that share less than half of their letters are no slip of the pen.
  return distance(name, candidate) <= Math.max(name.length, candidate.length) / 2 ? candidate : undefined;
}
