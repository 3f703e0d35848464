/**
 * What a planner asks of a file, all answered at once: a file is read in a thread of its own, and only its answers leave
 * that, so that no text keeps a page from answering.
 */
import type { Place, SearchedFile } from './configuration.ts';
import type { Asked } from './rules/configuration-rules.ts';

type FoundPlace = Omit<Place, 'file' | 'hasSibling'> & { siblings: string[] };

/** Can be sent between threads. */
export type FoundPlaces = Pick<SearchedFile, 'isWorker' | 'isMain' | 'caveats'> & {
  names: ReturnType<SearchedFile['names']>;
  places: Map<string, FoundPlace[]>;
};

/** Every answer that a file has. */
export const findPlaces = (file: SearchedFile, { settings, siblings }: Asked): FoundPlaces => ({
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
        // YAML has values that are none between threads, and no rule is about one.
        value: typeof value === 'symbol' ? undefined : value,
        siblings: siblings.filter(hasSibling),
      })),
    ]),
  ),
});

/** How many there are. */
export const countPlaces = ({ names, places }: FoundPlaces): number =>
  [...places.values()].reduce((sum, found) => sum + found.length, names.length);

/** The file again, as far as it is asked. */
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
