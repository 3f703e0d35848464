/** Names that are set twice in one map. YAML forbids it; PyYAML, and with it Synapse, takes the last one. */
import { type Document, isScalar, type Scalar, visit } from 'yaml';

/** Pairs of keys in one map, in the order of the file: the one before, and the one that replaces it. */
export function repeatedNames(document: Document): { before: Scalar; repeated: Scalar }[] {
  const found: { before: Scalar; repeated: Scalar }[] = [];
  visit(document, {
    Map(_, { items }) {
      const names = new Map<unknown, Scalar>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        // Several maps can be merged in.
        const isMerged = typeof key.value === 'symbol' || key.value === '<<';
        const before = names.get(key.value);
        if (before && !isMerged) found.push({ before, repeated: key });
        names.set(key.value, key);
      }
    },
  });
  return found.sort((one, other) => placeOf(one.repeated) - placeOf(other.repeated));
}

const placeOf = (key: Scalar) => key.range?.[0] ?? 0;
