/** Names that stand twice in one map: YAML knows no such thing, and servers take the last one without a word. */
import { type Document, isScalar, type Scalar, visit } from 'yaml';
import { type ConfigurationFile, ConfigurationFileError } from './configuration.ts';

/** The first name, in the order of the file, that stands in its map before. Each is looked up, not compared with each. */
export function firstRepeated(document: Document): Scalar | undefined {
  let first: Scalar | undefined;
  visit(document, {
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        // What is merged in may come from several places.
        const isMerged = typeof key.value === 'symbol' || key.value === '<<';
        if (names.has(key.value) && !isMerged && placeOf(key) < placeOf(first)) first = key;
        names.add(key.value);
      }
    },
  });
  return first;
}

const placeOf = (key: Scalar | undefined) => key?.range?.[0] ?? Number.POSITIVE_INFINITY;

/** Gives the file again. @throws ConfigurationFileError where a name in it stands twice in one map */
export function refuseRepeated(file: ConfigurationFile): ConfigurationFile {
  const repeated = firstRepeated(file.document);
  if (!repeated) return file;
  const { line, col } = file.lines.linePos(placeOf(repeated));
  const sentence =
    /*i18n*/ 'it is not YAML: a name stands twice in one map, and servers take the last one without a word';
  throw new ConfigurationFileError(file.name, { sentence }, { line, column: col });
}
