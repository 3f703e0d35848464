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
  ALIAS_PROPS: /*i18n*/ 'it is not YAML: an alias (*name) takes no anchor and no tag of its own',
  BAD_ALIAS:
    /*i18n*/ 'it is not YAML: an alias (*name) stands for an anchor (&name) that the file does not have before it',
  BAD_COLLECTION_TYPE: /*i18n*/ 'it is not YAML: a list or a map stands where the other is announced',
  BAD_DIRECTIVE: /*i18n*/ 'it is not YAML: a line that begins with % is no directive of YAML',
  BAD_DQ_ESCAPE:
    /*i18n*/ 'it is not YAML: a text in double quotes has a backslash with a character that means nothing after it',
  BAD_INDENT: /*i18n*/ 'it is not YAML: the line is indented too little or too much',
  BAD_PROP_ORDER: /*i18n*/ 'it is not YAML: an anchor or a tag stands where none can be',
  BAD_SCALAR_START: /*i18n*/ 'it is not YAML: a value begins with a character that has to be in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    /*i18n*/ 'it is not YAML: two settings stand in one line, or a value with a colon in it is not in quotes',
  BLOCK_IN_FLOW: /*i18n*/ 'it is not YAML: an indented list or map stands within brackets or braces',
  KEY_OVER_1024_CHARS: /*i18n*/ 'it is not YAML: a name is longer than 1,024 characters',
  MISSING_CHAR: /*i18n*/ 'it is not YAML: a quote, a bracket, a comma or a colon is missing',
  MULTILINE_IMPLICIT_KEY:
    /*i18n*/ 'it is not YAML: a name goes over several lines, or a colon is missing after it',
  MULTIPLE_ANCHORS: /*i18n*/ 'it is not YAML: a value has two anchors',
  MULTIPLE_DOCS: /*i18n*/ 'it is not YAML: the file holds several documents (---), and configuration is one',
  MULTIPLE_TAGS: /*i18n*/ 'it is not YAML: a value has two tags',
  NON_STRING_KEY: /*i18n*/ 'it is not YAML: a name is no text',
  RESOURCE_EXHAUSTION: /*i18n*/ 'it is not YAML: it is nested too deeply',
  TAB_AS_INDENT: /*i18n*/ 'it is not YAML: a tab indents the line, and YAML takes spaces only',
  TAG_RESOLVE_FAILED: /*i18n*/ 'it is not YAML: a value does not fit the tag before it',
  UNCLOSED: /*i18n*/ 'it is not YAML: what opens here, a list in brackets or a map in braces, is not closed',
  UNEXPECTED_TOKEN: /*i18n*/ 'it is not YAML: something stands where nothing can be',
};
const otherFault = /*i18n*/ 'it is not YAML: it can not be understood from here on';

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
    throw new ConfigurationFileError(name, { sentence: /*i18n*/ 'it is not YAML that can be read' });
  }
  const { aliases, dangling } = resolved(document);
  if (aliases.size > mostAliases) {
    throw new ConfigurationFileError(name, {
      sentence: /*i18n*/ 'it has more than {most} aliases (*name), which no configuration needs',
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
