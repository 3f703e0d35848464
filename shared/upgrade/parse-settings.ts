/** The text of a configuration file as a document, and what can be wrong with it in words that quote nothing of it. */
import {
  type Alias,
  type Document,
  type ErrorCode,
  type LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { ConfigurationFileError } from './configuration.ts';

/** Maps that are merged out of more than that would be gone through for a long time, too. */
const mostAliases = 1_000;

export type Fault = { pos: readonly [number, ...number[]]; code: ErrorCode | 'UNCLOSED' };

/** What the parser's codes mean, in words that quote nothing of the file. */
const yamlFaults: Partial<Record<Fault['code'], string>> = {
  ALIAS_PROPS: /*i18n*/ "invalid YAML: alias (*name) can't have an anchor or tag",
  BAD_ALIAS: /*i18n*/ 'invalid YAML: alias (*name) without preceding anchor (&name)',
  BAD_COLLECTION_TYPE: /*i18n*/ 'invalid YAML: list and map mixed',
  BAD_DIRECTIVE: /*i18n*/ 'invalid YAML: unknown directive (line starting with %)',
  BAD_DQ_ESCAPE: /*i18n*/ 'invalid YAML: unknown backslash escape in double quotes',
  BAD_INDENT: /*i18n*/ 'invalid YAML: wrong indentation',
  BAD_PROP_ORDER: /*i18n*/ 'invalid YAML: misplaced anchor or tag',
  BAD_SCALAR_START: /*i18n*/ 'invalid YAML: value starts with a character that needs quotes',
  BLOCK_AS_IMPLICIT_KEY: /*i18n*/ 'invalid YAML: two settings on one line, or unquoted value with a colon',
  BLOCK_IN_FLOW: /*i18n*/ 'invalid YAML: indented list or map within brackets or braces',
  KEY_OVER_1024_CHARS: /*i18n*/ 'invalid YAML: key longer than 1,024 characters',
  MISSING_CHAR: /*i18n*/ 'invalid YAML: missing quote, bracket, comma or colon',
  MULTILINE_IMPLICIT_KEY: /*i18n*/ 'invalid YAML: key spans lines or lacks a colon',
  MULTIPLE_ANCHORS: /*i18n*/ 'invalid YAML: value has two anchors',
  MULTIPLE_DOCS: /*i18n*/ 'invalid YAML: only one document allowed (no further ---)',
  MULTIPLE_TAGS: /*i18n*/ 'invalid YAML: value has two tags',
  NON_STRING_KEY: /*i18n*/ "invalid YAML: key isn't text",
  RESOURCE_EXHAUSTION: /*i18n*/ 'invalid YAML: nested too deeply',
  TAB_AS_INDENT: /*i18n*/ 'invalid YAML: indent with spaces, not tabs',
  TAG_RESOLVE_FAILED: /*i18n*/ "invalid YAML: value doesn't match its tag",
  UNCLOSED: /*i18n*/ 'invalid YAML: unclosed list bracket or map brace',
  UNEXPECTED_TOKEN: /*i18n*/ 'invalid YAML: unexpected content',
};
const otherFault = /*i18n*/ 'invalid YAML: syntax error';

/** What is wrong, in a sentence. @param at where it is in the text */
export function sentenceOf(fault: Fault, text: string, at: { column: number }): string {
  // The parser misses the dash of a list where a line in it begins one column too far to the left or right.
  const isIndentation =
    fault.code === 'MISSING_CHAR' && at.column === 1 && /^ /.test(text.slice(fault.pos[0]));
  return yamlFaults[isIndentation ? 'BAD_INDENT' : fault.code] ?? otherFault;
}

/**
 * Parses YAML as such servers do.
 *
 * @returns the document with what each alias in it stands for, and the first thing that makes it no YAML
 * @throws ConfigurationFileError where there is nothing that could be looked at
 */
export function parseSettings(
  name: string,
  text: string,
  lineCounter: LineCounter,
): { document: Document; aliases: ReadonlyMap<Alias, Node>; fault: Fault | undefined } {
  let document: Document;
  try {
    document = parseDocument(text, {
      lineCounter,
      // Such servers read YAML 1.1, in which `yes` is true. Equal keys are looked for in `repeated-names.ts`: the parser
      // would compare each with each.
      version: '1.1',
      uniqueKeys: false,
      // A pretty error would quote the line.
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch {
    // Nested deeper than the parser can go.
    throw new ConfigurationFileError(name, { sentence: /*i18n*/ 'unreadable YAML' });
  }
  const { aliases, dangling } = resolved(document);
  if (aliases.size > mostAliases) {
    throw new ConfigurationFileError(name, {
      sentence: /*i18n*/ 'more than {most} aliases (*name)',
      values: { most: mostAliases },
    });
  }
  const noAnchor: Fault | undefined = dangling && { pos: [dangling.range?.[0] ?? 0], code: 'BAD_ALIAS' };
  const [first] = document.errors;
  return { document, aliases, fault: (first && unclosed(document, first)) ?? first ?? noAnchor };
}

/** The parser finds fault with the line at which brackets or braces end unclosed: what opens them is to be corrected. */
function unclosed(document: Document, { code, pos: [end] }: Fault): Fault | undefined {
  let fault: Fault | undefined;
  if (code !== 'BAD_INDENT') return undefined;
  visit(document, {
    Collection: (_, { flow, range }) => {
      if (flow && range?.[1] === end) fault ??= { pos: [range[0]], code: 'UNCLOSED' };
    },
  });
  return fault;
}

/** What each alias stands for: the last anchor of its name before it. The parser doesn't miss one that isn't there. */
function resolved(document: Document): { aliases: ReadonlyMap<Alias, Node>; dangling: Alias | undefined } {
  const anchors = new Map<string, Node>();
  const aliases = new Map<Alias, Node>();
  let dangling: Alias | undefined;
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias: (_, alias) => {
      const node = anchors.get(alias.source);
      if (node) aliases.set(alias, node);
      else dangling ??= alias;
    },
  });
  return { aliases, dangling };
}
