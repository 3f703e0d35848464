let characters: Intl.Segmenter | undefined;

/** One that goes on for longer than this is cut, too: any number of accents can stand on a letter. */
const longestCharacter = 64;

/**
 * No more of a text than so much, and of no character as people see it a part: a flag, a family and a letter with its
 * accents are several to a machine.
 *
 * @param most in UTF-16 code units, as the length of a text is counted
 */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  characters ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const start = characters.segment(text.slice(0, most + longestCharacter)).containing(most)?.index ?? most;
  const end = most - start > longestCharacter ? most : start;
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}

/** The same, with a sign where there is more. */
export const clipped = (text: string, most = 300): string =>
  text.length > most ? `${beginning(text, most)}…` : text;

/** A user id as those on this server read it: without the server where it is their own. */
export function shortId(userId: string, ownServer: string): string {
  return userId.endsWith(`:${ownServer}`) ? userId.slice(0, -ownServer.length - 1) : userId;
}
