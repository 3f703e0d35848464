/**
 * All that the rules look for in a file, found at once: a worker parses the file and returns only this, so that no file
 * blocks the page.
 */
import type { SearchedFile, SettingPosition } from './configuration.ts';
import type { SettingQuery } from './rules/configuration-rules.ts';

type FoundPlace = Omit<SettingPosition, 'file' | 'hasSibling'> & { siblings: string[] };

/** Can be sent between threads. */
export type FoundPlaces = Pick<SearchedFile, 'isWorker' | 'isMain' | 'caveats'> & {
  names: ReturnType<SearchedFile['names']>;
  places: Map<string, FoundPlace[]>;
};

/** Finds all of it. */
export const findPlaces = (file: SearchedFile, { settings, siblings }: SettingQuery): FoundPlaces => ({
  isWorker: file.isWorker,
  isMain: file.isMain,
  caveats: file.caveats,
  names: file.names(),
  places: new Map(
    settings.map((path) => [
      path,
      file.find(path).map(({ setting, line, column, value, hasSibling }) => ({
        setting,
        line,
        column,
        // Symbols can't be sent between threads, and no rule needs them.
        value: typeof value === 'symbol' ? undefined : value,
        siblings: siblings.filter(hasSibling),
      })),
    ]),
  ),
});

/** Counts the positions. */
export const countPlaces = ({ names, places }: FoundPlaces): number =>
  [...places.values()].reduce((sum, found) => sum + found.length, names.length);

/** Restores a searchable file. */
export function fileOfPlaces(
  name: string,
  { isWorker, isMain, caveats, names, places }: FoundPlaces,
): SearchedFile {
  const file: SearchedFile = {
    name,
    isWorker,
    isMain,
    caveats,
    names: () => names,
    find(path) {
      const found = places.get(path);
      if (!found) throw new Error(`nobody looked for ${path}`);
      return found.map(({ siblings, ...place }) => ({
        ...place,
        file,
        hasSibling: (sibling) => siblings.includes(sibling),
      }));
    },
  };
  return file;
}
