let segmenter: Intl.Segmenter | undefined;

/** Longer graphemes are cut: any number of accents can be stacked. */
const maxGraphemeLength = 64;

/**
 * Truncates text at a grapheme boundary, because flags, families and accented letters are several code units.
 *
 * @param max in UTF-16 code units
 */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const start = segmenter.segment(text.slice(0, max + maxGraphemeLength)).containing(max)?.index ?? max;
  const end = max - start > maxGraphemeLength ? max : start;
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}

/** As `truncate`, with an ellipsis if cut. */
export const ellipsize = (text: string, max = 300): string =>
  text.length > max ? `${truncate(text, max)}…` : text;

/** Returns a user ID, without the server name if it is local. */
export function shortId(userId: string, ownServer: string): string {
  return userId.endsWith(`:${ownServer}`) ? userId.slice(0, -ownServer.length - 1) : userId;
}
