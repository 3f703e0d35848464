let characters: Intl.Segmenter | undefined;

/** Longer graphemes are cut: any number of accents can be stacked. */
const longestCharacter = 64;

/**
 * Truncates text at a grapheme boundary, because flags, families and accented letters are several code units.
 *
 * @param most in UTF-16 code units
 */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  characters ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const start = characters.segment(text.slice(0, most + longestCharacter)).containing(most)?.index ?? most;
  const end = most - start > longestCharacter ? most : start;
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}

/** As `beginning`, with an ellipsis if cut. */
export const clipped = (text: string, most = 300): string =>
  text.length > most ? `${beginning(text, most)}…` : text;

/** Returns a user ID, without the server name if it is local. */
export function shortId(userId: string, ownServer: string): string {
  return userId.endsWith(`:${ownServer}`) ? userId.slice(0, -ownServer.length - 1) : userId;
}
