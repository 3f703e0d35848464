/** An entry of the command palette, as far as ranking is concerned. */
export type Ranked = {
  label?: string | undefined;
  description?: string | undefined;
  keywords?: string | string[] | undefined;
};

/** Returns the entries that match, best match first: an exact label, the start of one, a word in it, a keyword, the rest. */
export function rank<Entry extends Ranked>(query: string, entries: readonly Entry[]): Entry[] {
  const wanted = fold(query);
  if (!wanted) return [...entries];
  return entries
    .map((entry) => ({ entry, distance: distanceOf(entry, wanted) }))
    .filter(({ distance }) => Number.isFinite(distance))
    .sort((one, other) => one.distance - other.distance)
    .map(({ entry }) => entry);
}

function distanceOf({ label = '', description = '', keywords = [] }: Ranked, wanted: string): number {
  const inLabel = distanceIn(fold(label), wanted);
  const others = [description, keywords].flat().map((text) => distanceIn(fold(text), wanted));
  // A keyword counts for less than a word of the label, and for more than a part of one.
  const elsewhere = 5 + Math.min(...others) / 10;
  if (Math.min(inLabel, elsewhere) < Infinity) return Math.min(inLabel, elsewhere);
  const all = fold([label, description, keywords].flat().join(' '));
  return wanted.split(' ').every((word) => distanceIn(all, word) < partOfWord) ? 10 : Infinity;
}

const partOfWord = 6;

/** Returns how far a text is from what is wanted: 0 for the same, `Infinity` where it isn't in it. */
function distanceIn(text: string, wanted: string): number {
  if (text === wanted) return 0;
  let nearest = Infinity;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const startsWord = at === 0 || !isLetter.test(text[at - 1] ?? '');
    const endsWord = !isLetter.test(text[at + wanted.length] ?? '');
    const distance = !startsWord ? partOfWord : (at === 0 ? 1 : 3) + (endsWord ? 0 : 1);
    nearest = Math.min(nearest, distance);
  }
  return nearest;
}

const isLetter = /[\p{L}\p{N}]/u;

const fold = (text: string) => text.trim().toLowerCase().replace(/\s+/g, ' ');
