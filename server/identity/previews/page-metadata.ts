/**
 * What a page says of itself: by the Open Graph protocol, or else by its title, description and text. Pages are
 * written by anyone: what is read is tokens in the order in which they stand, with no tree, so that the time is
 * bounded by the length, however deep or broken the page is.
 */
import { Tokenizer } from 'htmlparser2';

export type PageMetadata = {
  /** Properties by their names, such as `og:title`; none is about a picture. */
  properties: ReadonlyMap<string, string>;
  /** The address of a picture, as it is written. */
  picture: string | undefined;
};

const mostProperties = 50;
const longestValue = 1_000;
const longestText = 500;

/** Attributes that say something of what is looked for. */
const readAttributes = new Set(['property', 'name', 'itemprop', 'content', 'rel', 'href', 'src']);
const readTags = new Set(['meta', 'link', 'img']);
/** What in them is no text of the page. */
const silentTags = new Set([
  ...['head', 'script', 'style', 'template', 'noscript', 'svg', 'iframe', 'select', 'button', 'textarea'],
  ...['header', 'nav', 'aside', 'footer'],
]);
/** In the order in which they stand for a title that is missing. */
const titleTags = ['title', 'h1', 'h2', 'h3'];

type Attributes = Partial<Record<string, string>>;

export function readMetadata(html: string): PageMetadata {
  const stated = new Map<string, string>();
  const titles = new Map<string, string>();
  let firstPicture: string | undefined;
  let text = '';
  let tag = '';
  let attribute = '';
  let attributes: Attributes = {};
  /** The title that is being read, and the innermost tag in which nothing is text. */
  let title: string | undefined;
  let silence: string | undefined;

  const say = (words: string) => {
    if (title !== undefined) titles.set(title, `${titles.get(title)}${words}`.slice(0, longestValue));
    else if (silence === undefined && text.length < 4 * longestText) text += words;
  };
  const note = (name: string, value: string | undefined) => {
    if (!value || stated.has(name) || stated.size >= mostProperties) return;
    stated.set(name, value.trim().replaceAll('\0', '\ufffd').slice(0, longestValue).toWellFormed());
  };
  const close = (name: string) => {
    if (name === title) title = undefined;
    if (name === silence) silence = undefined;
    if (text !== '' && !/\s$/.test(text)) text += ' ';
  };
  const end = () => {
    if (tag === 'meta') {
      const name = (attributes.property ?? attributes.name ?? attributes.itemprop ?? '').toLowerCase();
      if (/^(og|twitter|article|profile|book|video|music):[\w:-]{1,50}$/.test(name))
        note(name, attributes.content);
      if (name === 'description' || name === 'image') note(name, attributes.content);
    } else if (tag === 'link' && attributes.rel?.toLowerCase() === 'image_src') {
      note('image', attributes.href);
    } else if (tag === 'img' && silence === undefined) {
      firstPicture ??= attributes.src;
    }
    [tag, attribute, attributes] = ['', '', {}];
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, to) {
        const name = html.slice(start, Math.min(to, start + 20)).toLowerCase();
        tag = readTags.has(name) ? name : '';
        if (titleTags.includes(name) && !titles.has(name)) {
          title = name;
          titles.set(name, '');
        }
        if (name === 'body') silence = undefined;
        else if (silenceBy(name)) silence = name;
      },
      onattribname(start, to) {
        const name = tag === '' ? '' : html.slice(start, Math.min(to, start + 20)).toLowerCase();
        attribute = readAttributes.has(name) && attributes[name] === undefined ? name : '';
      },
      onattribdata: (start, to) => add(html.slice(start, to)),
      onattribentity: (codepoint) => add(String.fromCodePoint(codepoint)),
      onattribend() {
        attribute = '';
      },
      onopentagend: end,
      onselfclosingtag: end,
      onclosetag: (start, to) => close(html.slice(start, Math.min(to, start + 20)).toLowerCase()),
      ontext: (start, to) => say(html.slice(start, Math.min(to, start + 4 * longestText))),
      ontextentity: (codepoint) => say(String.fromCodePoint(codepoint)),
      ...{ oncdata() {}, oncomment() {}, ondeclaration() {}, onend() {}, onprocessinginstruction() {} },
    },
  );
  const silenceBy = (name: string) => silence === undefined && silentTags.has(name);
  function add(words: string): void {
    const value = attributes[attribute] ?? '';
    if (attribute !== '' && value.length < 2 * longestValue) attributes[attribute] = value + words;
  }
  tokenizer.write(html);
  tokenizer.end();

  const properties = new Map(
    [...stated].filter(([name]) => /^(og|article|profile|book|video|music):/.test(name)),
  );
  const complete = (name: string, ...others: (string | undefined)[]) => {
    const value = [properties.get(name), ...others].map((other) => tidy(other ?? '')).find(Boolean);
    if (value) properties.set(name, value);
  };
  complete('og:title', stated.get('twitter:title'), ...titleTags.map((name) => titles.get(name)));
  const words = tidy(text);
  const beginning = words.length > longestText ? `${words.slice(0, longestText).toWellFormed()}…` : words;
  complete('og:description', stated.get('twitter:description'), stated.get('description'), beginning);
  const picture =
    properties.get('og:image') ??
    properties.get('og:image:url') ??
    stated.get('twitter:image') ??
    stated.get('image') ??
    firstPicture;
  for (const name of [...properties.keys()]) if (name.startsWith('og:image')) properties.delete(name);
  return { properties, picture };
}

/** On one line, and without NUL, which HTML has no more than texts elsewhere. */
const tidy = (text: string) => text.replaceAll('\0', '\ufffd').replaceAll(/\s+/g, ' ').trim().toWellFormed();
