/** A formatted message as text: what of it can be read, a line a block. */
import { sanitizedTree } from './sanitize-html.ts';

const deepest = 200;
/** A mention is called by a name: what is longer is text that only looks like one. */
const longestLabel = 80;

type Mention = { label: string; id: string };

export type FormattedText = {
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
