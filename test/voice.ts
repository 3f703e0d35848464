/**
 * Lints text for users: the English catalogs, the command line's help, README and docs. Part of `npm run check`.
 * `voice-exceptions.txt` lists allowed text, one per line. That list can only shrink, so an exception without a match
 * is also an error.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

const lint = new RegExp(
  [
    /(^|[.:;,{]\s?|\band )[Ww]ho(ever|m)?\b/,
    /\b[Ww]hat\b(?!.*\?)/,
    /\b(tells?|told)\b/,
    /\b[Mm]ade\b/,
    /\b[Mm]ak(e|es|ing) (a|an|the|new|rooms|users)?\s?(user|token|room(?! admin)|link|key|backup|sample|password|copy|another)/,
    /\b(goes|go)\b(?! (to|back|there))/,
    /\bstands?\b/,
    /\bholds?\b/,
    /\b(is|are|was|were) no (?!longer|more)\w/,
    /any more\b/,
    /\bcan not\b/,
    /by (itself|themselves)/,
    /\banew\b/,
    /all the same/,
    /, too\b/,
    /\b(take|taken|took)\b.*\bback\b/,
    /come back/,
    /[Ll]ook(ed|ing|s)? (further|through)/,
    /^Asking/,
    /[Aa]t (work|it)\b/,
    /of (this|another|other) servers?/,
    /\b([Ss]omebody|[Nn]obody|[Ee]verybody|[Ee]veryone of)\b/,
    /\b(is|are|stays?) so\b/,
    /(?<!--)\bmail\b/,
    /[Tt]elephone/,
    /\bput (out|in)\b/,
    /[Nn]ot known/,
    /works no longer/,
    /could not be/,
    /\bpictures?\b/,
    /[Uu]nder way/,
    /on its way/,
    /way back/,
    /^(Which|How|Where|Whether) /,
    /in the box/,
    /speaks?\b/,
    /\u2019/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Returns a catalog's messages without placeholder names. */
const messagesOf = (catalogue: string): string[] =>
  readFileSync(catalogue, 'utf8')
    .split(/\n\n+/)
    .flatMap((entry) => /^msgid ((?:".*"\n?)+)/m.exec(entry)?.[1] ?? [])
    .map((lines) =>
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .join('')
        .replace(/\{\w+(?=[,}])/g, '{'),
    )
    .filter(Boolean);

/** Returns a page's lines of prose, without code and URLs. */
const proseOf = (page: string): string[] =>
  readFileSync(page, 'utf8')
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replace(/`[^`]*`|\]\([^)]*\)|<[^>]*>/g, '')
    .split('\n');

function helpOf(...command: string[]): string[] {
  const cli = join(root, 'bin/gatehouse.js');
  const help = execFileSync(process.execPath, [cli, ...command, '--help'], { encoding: 'utf8' });
  const commands = help.split('Commands:')[1]?.matchAll(/^ {2}([a-z-]+)/gm) ?? [];
  const below = [...commands].map(([, name = '']) => name).filter((name) => name !== 'help');
  return [...help.split('\n'), ...below.flatMap((name) => helpOf(...command, name))];
}

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md'];
const words = [
  ...globSync('{renderer,electron}/words/**/en.po', { cwd: root }).flatMap((path) =>
    messagesOf(join(root, path)).map((text) => [path, text] as const),
  ),
  ...globSync(pages, { cwd: root }).flatMap((path) =>
    proseOf(join(root, path)).map((text) => [path, text] as const),
  ),
  ...helpOf().map((text) => ['gatehouse --help', text.trim()] as const),
];

const exceptions = readFileSync(join(import.meta.dirname, 'voice-exceptions.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const hits = words.filter(([, text]) => lint.test(text));
const unexpected = hits.filter(([, text]) => !exceptions.some((exception) => text.includes(exception)));
const unused = exceptions.filter((exception) => !hits.some(([, text]) => text.includes(exception)));

for (const [path, text] of unexpected)
  process.stderr.write(`${path}: ${JSON.stringify(text.match(lint)?.[0])} in: ${text}\n`);
for (const exception of unused) process.stderr.write(`voice-exceptions.txt: not needed: ${exception}\n`);
if (unexpected.length + unused.length > 0) process.exit(1);
