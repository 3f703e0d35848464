/**
 * The quote that apps put before an answer until version 1.13 of the Matrix specification ("Rich replies"), which
 * tells apps to leave it out. Whatever a sender writes there is unseen by most, so only what has the form that apps
 * gave it is taken apart from the rest.
 */

/** What a text says, and the quote before it. */
type Parted = { said: string; quote?: string };

const plainQuote = /^> (?:\* )?<@[^>\n]+>/;
const formattedQuote = /^\s*<mx-reply>([\s\S]*?)<\/mx-reply>/i;

export function partedPlain(body: string): Parted {
  if (!plainQuote.test(body)) return { said: body };
  const lines = body.split('\n');
  const first = lines.findIndex((line) => !line.startsWith('> '));
  const said = first === -1 ? '' : lines.slice(first).join('\n').trimStart();
  return said === '' ? { said: body } : { said, quote: lines.slice(0, first).join('\n') };
}

export function partedFormatted(html: string): Parted {
  const [all = '', quote] = formattedQuote.exec(html) ?? [];
  const said = html.slice(all.length);
  return quote === undefined || said.trim() === '' ? { said: html } : { said, quote };
}
