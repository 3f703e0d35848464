/**
 * Reads a page's metadata: Open Graph properties, or else title, description and text. Reads tokens without building a
 * tree, so the time is bounded by the length, however deep or malformed a hostile page is.
 */
import { Tokenizer } from 'htmlparser2';

type PageMetadata = {
  /** By name, such as `og:title`, without those of the image. */
  properties: ReadonlyMap<string, string>;
  /** The image's URL as in the page. */
  image: string | undefined;
};

const maximumProperties = 50;
const maximumValueLength = 1_000;
const maximumTextLength = 500;

const readAttributes = new Set(['property', 'name', 'itemprop', 'content', 'rel', 'href', 'src']);
const readTags = new Set(['meta', 'link', 'img']);
/** Tags whose content isn't text of the page. */
const ignoredTags = new Set([
  ...['head', 'script', 'style', 'template', 'noscript', 'svg', 'iframe', 'select', 'button', 'textarea'],
  ...['header', 'nav', 'aside', 'footer'],
]);
/** Tags for a missing Open Graph title, by precedence. */
const titleTags = ['title', 'h1', 'h2', 'h3'];

type Attributes = Partial<Record<string, string>>;

export function readMetadata(html: string): PageMetadata {
  const stated = new Map<string, string>();
  const titles = new Map<string, string>();
  let firstImage: string | undefined;
  let text = '';
  let tag = '';
  let attribute = '';
  let attributes: Attributes = {};
  /** The title and the ignored tag that are open. */
  let title: string | undefined;
  let ignored: string | undefined;

  const addText = (words: string) => {
    if (title !== undefined) titles.set(title, `${titles.get(title)}${words}`.slice(0, maximumValueLength));
    else if (ignored === undefined && text.length < 4 * maximumTextLength) text += words;
  };
  const addProperty = (name: string, value: string | undefined) => {
    if (!value || stated.has(name) || stated.size >= maximumProperties) return;
    stated.set(name, value.trim().replaceAll('\0', '\ufffd').slice(0, maximumValueLength).toWellFormed());
  };
  const close = (name: string) => {
    if (name === title) title = undefined;
    if (name === ignored) ignored = undefined;
    if (text !== '' && !/\s$/.test(text)) text += ' ';
  };
  const end = () => {
    if (tag === 'meta') {
      const name = (attributes.property ?? attributes.name ?? attributes.itemprop ?? '').toLowerCase();
      if (/^(og|twitter|article|profile|book|video|music):[\w:-]{1,50}$/.test(name))
        addProperty(name, attributes.content);
      if (name === 'description' || name === 'image') addProperty(name, attributes.content);
    } else if (tag === 'link' && attributes.rel?.toLowerCase() === 'image_src') {
      addProperty('image', attributes.href);
    } else if (tag === 'img' && ignored === undefined) {
      firstImage ??= attributes.src;
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
        if (name === 'body') ignored = undefined;
        else if (isIgnored(name)) ignored = name;
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
      ontext: (start, to) => addText(html.slice(start, Math.min(to, start + 4 * maximumTextLength))),
      ontextentity: (codepoint) => addText(String.fromCodePoint(codepoint)),
      ...{ oncdata() {}, oncomment() {}, ondeclaration() {}, onend() {}, onprocessinginstruction() {} },
    },
  );
  const isIgnored = (name: string) => ignored === undefined && ignoredTags.has(name);
  function add(words: string): void {
    const value = attributes[attribute] ?? '';
    if (attribute !== '' && value.length < 2 * maximumValueLength) attributes[attribute] = value + words;
  }
  tokenizer.write(html);
  tokenizer.end();

  const properties = new Map(
    [...stated].filter(([name]) => /^(og|article|profile|book|video|music):/.test(name)),
  );
  const complete = (name: string, ...others: (string | undefined)[]) => {
    const value = [properties.get(name), ...others].map((other) => normalize(other ?? '')).find(Boolean);
    if (value) properties.set(name, value);
  };
  complete('og:title', stated.get('twitter:title'), ...titleTags.map((name) => titles.get(name)));
  const words = normalize(text);
  const beginning =
    words.length > maximumTextLength ? `${words.slice(0, maximumTextLength).toWellFormed()}…` : words;
  complete('og:description', stated.get('twitter:description'), stated.get('description'), beginning);
  const image =
    properties.get('og:image') ??
    properties.get('og:image:url') ??
    stated.get('twitter:image') ??
    stated.get('image') ??
    firstImage;
  for (const name of [...properties.keys()]) if (name.startsWith('og:image')) properties.delete(name);
  return { properties, image };
}

/** Collapses white space and replaces NUL, which texts in the database can't contain. */
const normalize = (text: string) =>
  text.replaceAll('\0', '\ufffd').replaceAll(/\s+/g, ' ').trim().toWellFormed();
