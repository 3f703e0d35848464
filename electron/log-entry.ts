/** A text as it stands in the log: others have a say in it, and what they say must not look like entries of the app's. */

/** In characters: what a server answers with may be a whole page. */
const longest = 10_000;

/** Before anything else is done with it. The last word goes: half a secret would not be known for one. */
export const shortened = (text: string): string =>
  text.length <= longest ? text : text.slice(0, longest).replace(/\S{0,300}$/, '');

export const asOneEntry = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, '').replaceAll(/[\n\u2028\u2029]+(?=[^\n])/g, '\n  ');
