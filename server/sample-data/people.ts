/** Who lives on a sample server. Mallory and Trudy are the ones that get reported. */
export type Person = { localpart: string; displayName: string };

export const troublemakers: Person[] = [
  { localpart: 'mallory', displayName: 'Mallory' },
  // Two Cyrillic letters make this name look like another person's.
  { localpart: 'trudy', displayName: 'Adа Lоvelace' },
];

export const regulars: Person[] = [
  { localpart: 'ada', displayName: 'Ada Lovelace' },
  { localpart: 'bram', displayName: 'Bram de Vries' },
  { localpart: 'chika', displayName: 'Chika Okafor' },
  { localpart: 'dmitri', displayName: 'Дмитрий' },
  { localpart: 'elena', displayName: 'Elena Marín' },
  { localpart: 'farid', displayName: 'فريد' },
  { localpart: 'grace', displayName: 'Grace' },
  { localpart: 'hugo', displayName: 'Hugo 🚲' },
  { localpart: 'ines', displayName: 'Inês' },
  { localpart: 'jun', displayName: '純' },
];

export const people: Person[] = [...regulars, ...troublemakers];
