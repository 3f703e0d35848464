/** Turns a formatted message into text, and compares it with the plain body. */
import { sanitizedTree } from './sanitize-html.ts';

const maxDepth = 200;
/** Longer link text isn't a mention. */
const maxLabelLength = 80;

type Mention = { label: string; id: string };

type FormattedText = {
  /** Without the mentions. */
  text: string;
  /** Without mentions and spoilers. */
  withoutSpoilers: string;
  /** With mentions and shortened links. */
  whole: string;
  mentions: Mention[];
  /** Link targets. */
  addresses: string[];
  /** Link texts that are the beginning of their target; not part of `text`. */
  shortened: string[];
};

const blocks = new Set(
  'p div br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table caption tr td th details summary'.split(' '),
);

export function formattedText(html: string): FormattedText {
  const whole: string[] = [];
  const all: string[] = [];
  const withoutSpoilers: string[] = [];
  const mentions: Mention[] = [];
  const addresses: string[] = [];
  const shortened: string[] = [];
  const add = (text: string, hidden: boolean) => {
    all.push(text);
    whole.push(text);
    if (!hidden) withoutSpoilers.push(text);
  };
  const walk = (node: Node, depth: number, hidden: boolean) => {
    if (node.nodeType === Node.TEXT_NODE) return add(node.nodeValue ?? '', hidden);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const element = node as HTMLElement;
    if (depth > maxDepth) return add(element.textContent ?? '', hidden);
    if (element.localName === 'img') return add(element.getAttribute('alt') ?? '', hidden);
    if (element.localName === 'a') {
      const address = element.getAttribute('href') ?? '';
      const label = element.textContent ?? '';
      const id = label.length > maxLabelLength ? undefined : mentionedId(address);
      if (id !== undefined) {
        mentions.push({ label, id });
        whole.push(label);
        return;
      }
      addresses.push(address);
      if (isAbbreviation(label, address)) {
        shortened.push(label);
        whole.push(label);
        return;
      }
    }
    const isBlock = blocks.has(element.localName);
    const isHidden = hidden || element.hasAttribute('data-mx-spoiler');
    if (isBlock) add('\n', hidden);
    for (const child of element.childNodes) walk(child, depth + 1, isHidden);
    if (isBlock) add('\n', hidden);
  };
  for (const child of sanitizedTree(html).childNodes) walk(child, 0, false);
  return {
    text: all.join(''),
    withoutSpoilers: withoutSpoilers.join(''),
    whole: whole.join(''),
    mentions,
    addresses,
    shortened,
  };
}

const isAbbreviation = (label: string, address: string) => {
  const shown = label
    .trim()
    .replace(/^\w+:\/\//, '')
    .replace(/(?:\/|…|\.\.\.)$/, '');
  return (
    shown !== '' && address.replace(/^\w+:(?:\/\/)?(?:www\.)?/, '').startsWith(shown.replace(/^www\./, ''))
  );
};

/** Returns the ID in a matrix.to link. */
function mentionedId(address: string): string | undefined {
  const [, id] = /^https:\/\/matrix\.to\/#\/([@#!+$][^?]*)/i.exec(address) ?? [];
  if (id === undefined) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * Clients show the formatted body, notifications and simple clients the plain one, and nothing keeps them equal. Honest
 * clients vary in markup, list markers, mentions and link targets, so only the remaining letters, digits and emoji are
 * compared.
 */

const maxCompared = 100_000;

export const isTooLongToCompare = (body: string, html: string) =>
  Math.max(body.length, html.length) > maxCompared;

/**
 * Whether the plain body differs from the formatted one.
 *
 * @param body without the quote of a reply
 */
export function bodiesDiffer(body: string, html: string): boolean {
  const formatted = formattedText(html);
  const plain = comparablePlain(body, formatted);
  const [shown, plainText] = [normalize(formatted.text), normalize(plain)];
  if (shown === plainText) return false;
  // Some bots put their markup into the plain body.
  if (shown === normalize(plain.replace(tag, ' '))) return false;
  // The plain body may leave out a spoiler's text.
  const withoutSpoilers = normalize(formatted.withoutSpoilers);
  return !(
    formatted.text !== formatted.withoutSpoilers &&
    normalize(plain.replace(spoilerWord, '')) === withoutSpoilers
  );
}

const tag = /<\/?[a-z][^<>]*>/gi;
const spoilerWord = /\[?\bspoiler\b(?: for [^\]\n]*)?\]?(?:\([^)\n]*\))?/gi;

/** Removes mentions and link targets from the plain body. */
function comparablePlain(body: string, { mentions, addresses, shortened }: FormattedText): string {
  let plain = body;
  const remove = (part: string) => {
    const at = part === '' ? -1 : plain.indexOf(part);
    if (at === -1) return false;
    plain = `${plain.slice(0, at)} ${plain.slice(at + part.length)}`;
    return true;
  };
  for (const { label, id } of mentions) {
    const localpart = id.slice(1).split(':', 1)[0] ?? '';
    const forms = [`https://matrix.to/#/${id}`, `https://matrix.to/#/${encodeURIComponent(id)}`];
    // Only `[Alice](https://matrix.to/#/@alice:example.org)` contains both.
    forms.some(remove);
    [id, label, label.replace(/^@/, ''), `@${localpart}`, localpart].some(remove);
  }
  for (const target of addresses) remove(`(${target})`) || remove(`<${target}>`);
  plain = plain.replace(address, ' ');
  for (const label of shortened) remove(label);
  return plain;
}

const address = /\b(?:https?|ftp|mailto|magnet|mxc|ircs?):[^\s<>()[\]"']+/gi;
/** List markers, and the language after a code fence. */
const listNumber = /^[\s>]*\d{1,4}[.)](?=\s|$)/gm;
const fence = /^[\s>]*(?:```|~~~)[\w+#.-]*/gm;
const comparable = /[\p{L}\p{N}\p{Extended_Pictographic}]+/gu;

/** Returns the letters, digits and emoji to compare. */
function normalize(text: string): string {
  const words = text.replace(fence, ' ').replace(listNumber, ' ').replace(address, ' ').normalize('NFKC');
  return (words.match(comparable) ?? []).join('').toLowerCase();
}
