/** Parses configuration files, with errors that don't quote their content. */
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

/** Merged maps with more would take long to search. */
const mostAliases = 1_000;

export type Fault = { pos: readonly [number, ...number[]]; code: ErrorCode | 'UNCLOSED' };

/** Messages for the parser's error codes, without content of the file. */
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

/** Returns an error's sentence. @param at its position */
export function sentenceOf(fault: Fault, text: string, at: { column: number }): string {
  // For a line of a list that is off by one column, the parser reports a missing dash.
  const isIndentation =
    fault.code === 'MISSING_CHAR' && at.column === 1 && /^ /.test(text.slice(fault.pos[0]));
  return yamlFaults[isIndentation ? 'BAD_INDENT' : fault.code] ?? otherFault;
}

/**
 * Parses YAML like Synapse.
 *
 * @returns the document, its resolved aliases, and the first error
 * @throws ConfigurationFileError if there is nothing to search
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
      // Synapse reads YAML 1.1, where `yes` is true. `repeated-names.ts` finds duplicate keys: the parser would compare
      // each with each.
      version: '1.1',
      uniqueKeys: false,
      // A pretty error would quote the line.
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch {
    // Nested too deeply for the parser.
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

/** For unclosed brackets or braces, returns the position of the opening one instead of the end. */
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

/** Resolves aliases to the last anchor before them. The parser doesn't report missing anchors. */
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
