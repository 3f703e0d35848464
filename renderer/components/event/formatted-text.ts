/** A formatted message as text: what of it can be read, a line a block. */
import { sanitizedTree } from './sanitize-html.ts';

const deepest = 200;
/** A mention is called by a name: what is longer is text that only looks like one. */
const longestLabel = 80;

type Mention = { label: string; id: string };

type FormattedText = {
  /** Without the mentions. */
  text: string;
  /** Nor what hides behind a spoiler. */
  withoutSpoilers: string;
  /** With everything. */
  whole: string;
  mentions: Mention[];
  /** Where links lead. */
  addresses: string[];
  /** The words of links that are nothing but the beginning of where they lead; they are not in `text`. */
  shortened: string[];
};

const blocks = new Set(
  'p div br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table caption tr td th details summary'.split(' '),
);

export function formattedText(html: string): FormattedText {
  const whole: string[] = [];
  const all: string[] = [];
  const unspoiled: string[] = [];
  const mentions: Mention[] = [];
  const addresses: string[] = [];
  const shortened: string[] = [];
  const add = (text: string, hidden: boolean) => {
    all.push(text);
    whole.push(text);
    if (!hidden) unspoiled.push(text);
  };
  const walk = (node: Node, depth: number, hidden: boolean) => {
    if (node.nodeType === Node.TEXT_NODE) return add(node.nodeValue ?? '', hidden);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const element = node as HTMLElement;
    if (depth > deepest) return add(element.textContent ?? '', hidden);
    if (element.localName === 'img') return add(element.getAttribute('alt') ?? '', hidden);
    if (element.localName === 'a') {
      const address = element.getAttribute('href') ?? '';
      const label = element.textContent ?? '';
      const id = label.length > longestLabel ? undefined : mentioned(address);
      if (id !== undefined) {
        mentions.push({ label, id });
        whole.push(label);
        return;
      }
      addresses.push(address);
      if (isShortOf(label, address)) {
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
    withoutSpoilers: unspoiled.join(''),
    whole: whole.join(''),
    mentions,
    addresses,
    shortened,
  };
}

const isShortOf = (label: string, address: string) => {
  const shown = label
    .trim()
    .replace(/^\w+:\/\//, '')
    .replace(/(?:\/|…|\.\.\.)$/, '');
  return (
    shown !== '' && address.replace(/^\w+:(?:\/\/)?(?:www\.)?/, '').startsWith(shown.replace(/^www\./, ''))
  );
};

/** `@alice:example.org` of `https://matrix.to/#/@alice:example.org`; a room's or an event's likewise. */
function mentioned(address: string): string | undefined {
  const [, id] = /^https:\/\/matrix\.to\/#\/([@#!+$][^?]*)/i.exec(address) ?? [];
  if (id === undefined) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * Whether the two forms of a message say the same. Clients show the formatted one, notifications and simple
 * clients the plain one, and nothing makes them agree. Markup, markers, mentions and addresses of links are
 * written in many ways by honest clients, so only letters, digits and pictures of what is left are compared.
 */

const mostCompared = 100_000;

export const isTooLongToCompare = (body: string, html: string) =>
  Math.max(body.length, html.length) > mostCompared;

/** @param body the plain form, without the quote that a reply begins with */
export function saysSomethingElse(body: string, html: string): boolean {
  const formatted = formattedText(html);
  const plain = plainWithout(body, formatted);
  const [shown, said] = [bare(formatted.text), bare(plain)];
  if (shown === said) return false;
  // Some bots write their markup into the plain form, too.
  if (shown === bare(plain.replace(tag, ' '))) return false;
  // What hides behind a spoiler may be left out of the plain form, which says that there is one.
  const withoutSpoilers = bare(formatted.withoutSpoilers);
  return !(
    formatted.text !== formatted.withoutSpoilers && bare(plain.replace(spoilerWord, '')) === withoutSpoilers
  );
}

const tag = /<\/?[a-z][^<>]*>/gi;
const spoilerWord = /\[?\bspoiler\b(?: for [^\]\n]*)?\]?(?:\([^)\n]*\))?/gi;

/** The plain form without what stands there for a mention, and without the addresses of links. */
function plainWithout(body: string, { mentions, addresses, shortened }: FormattedText): string {
  let plain = body;
  const takeOut = (part: string) => {
    const at = part === '' ? -1 : plain.indexOf(part);
    if (at === -1) return false;
    plain = `${plain.slice(0, at)} ${plain.slice(at + part.length)}`;
    return true;
  };
  for (const { label, id } of mentions) {
    const localpart = id.slice(1).split(':', 1)[0] ?? '';
    const forms = [`https://matrix.to/#/${id}`, `https://matrix.to/#/${encodeURIComponent(id)}`];
    // `[Alice](https://matrix.to/#/@alice:example.org)` is the one form that has both.
    forms.some(takeOut);
    [id, label, label.replace(/^@/, ''), `@${localpart}`, localpart].some(takeOut);
  }
  for (const led of addresses) takeOut(`(${led})`) || takeOut(`<${led}>`);
  plain = plain.replace(address, ' ');
  for (const label of shortened) takeOut(label);
  return plain;
}

const address = /\b(?:https?|ftp|mailto|magnet|mxc|ircs?):[^\s<>()[\]"']+/gi;
/** `1.` and `2)` before the items of a list, and the language behind the fence of a block of code. */
const listNumber = /^[\s>]*\d{1,4}[.)](?=\s|$)/gm;
const fence = /^[\s>]*(?:```|~~~)[\w+#.-]*/gm;
const isTold = /[\p{L}\p{N}\p{Extended_Pictographic}]+/gu;

/** What has to be the same in both: letters, digits and pictures, in their order. */
function bare(text: string): string {
  const words = text.replace(fence, ' ').replace(listNumber, ' ').replace(address, ' ').normalize('NFKC');
  return (words.match(isTold) ?? []).join('').toLowerCase();
}
