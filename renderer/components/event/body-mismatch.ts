/**
 * Whether the two forms of a message say the same. Clients show the formatted one, notifications and simple
 * clients the plain one, and nothing makes them agree. Markup, markers, mentions and addresses of links are
 * written in many ways by honest clients, so only letters, digits and pictures of what is left are compared.
 */
import { type FormattedText, formattedText } from './formatted-text.ts';

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
