/** Finds duplicate keys. YAML forbids them; PyYAML, and so Synapse, uses the last one. */
import { type Document, isScalar, type Scalar, visit } from 'yaml';

/** Returns pairs of duplicate keys, in the order of the file. */
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
