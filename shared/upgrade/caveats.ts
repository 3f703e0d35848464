/** What of a configuration file a planner reads in another way than one may expect. */
import { type Document, isScalar, type LineCounter, type Node, visit } from 'yaml';
import type { Sentence } from '../sentence.ts';
import { repeatedNames } from './repeated-names.ts';

/** More than that isn't a configuration that someone wrote. */
const mostCaveats = 20;

/** Quotes only names: what doesn't look like one may be a secret that slipped. */
export function caveatsOf(name: string, document: Document, lines: LineCounter): Sentence[] {
  const lineOf = (node: Node) => lines.linePos(node.range?.[0] ?? 0).line;
  const repeated = repeatedNames(document).map(({ before, repeated }): Sentence => {
    const key = String(repeated.value);
    const values = { file: name, first: lineOf(before), line: lineOf(repeated) };
    return /^[a-z][a-z0-9_]{0,60}$/i.test(key)
      ? {
          sentence: /*i18n*/ '{file}: {key} is set on lines {first} and {line}. Line {line} applies.',
          values: { ...values, key },
        }
      : {
          sentence: /*i18n*/ '{file}: lines {first} and {line} have the same key. Line {line} applies.',
          values,
        };
  });
  const included: Sentence[] = [];
  visit(document, {
    Node(_, node) {
      if (node.tag !== '!include') return;
      const path = isScalar(node) ? String(node.value) : '';
      const values = { file: name, line: lineOf(node) };
      included.push(
        /^[\w./-]{1,100}\.ya?ml$/.test(path)
          ? {
              sentence: /*i18n*/ "{file}, line {line}: !include isn't followed. Add {path}.",
              values: { ...values, path },
            }
          : {
              sentence: /*i18n*/ "{file}, line {line}: !include isn't followed. Add the file.",
              values,
            },
      );
    },
  });
  return [...repeated, ...included].slice(0, mostCaveats);
}
