/** Parts of a configuration file that the planner may read differently than expected. */
import { type Document, isMap, isPair, isScalar, type LineCounter, type Node, visit } from 'yaml';
import type { Sentence } from '../sentence.ts';
import { repeatedNames } from './repeated-names.ts';

/** More aren't listed. */
const mostCaveats = 20;

/** Quotes only names: anything else may be a misplaced secret. */
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
  return [...repeated, ...included, ...templated(name, document, lineOf)].slice(0, mostCaveats);
}

/** Whether text has Jinja placeholders or tags, which Ansible and other tools fill in before the server reads it. */
export const isTemplate = (text: string) => /\{\{|\{%/.test(text);

/** Except settings that end in `_template`, which the server itself fills in. */
function templated(name: string, document: Document, lineOf: (node: Node) => number): Sentence[] {
  const lines = new Set<number>();
  visit(document, {
    Scalar(_, node, path) {
      const parent = path.at(-1);
      const key = isPair(parent) && isScalar(parent.key) ? String(parent.key.value) : '';
      if (typeof node.value === 'string' && isTemplate(node.value) && !key.endsWith('_template')) {
        lines.add(lineOf(node));
      }
    },
    // Unquoted, `{{ name }}` is a map with a map as its key.
    Map(_, node) {
      if (node.flow && node.items.some(({ key }) => isMap(key))) lines.add(lineOf(node));
    },
  });
  return [...lines].map((line) => ({
    sentence:
      /*i18n*/ "{file}, line {line}: the template ({placeholder}) isn't filled in. Add the rendered file.",
    values: { file: name, line, placeholder: '{{ }}' },
  }));
}
