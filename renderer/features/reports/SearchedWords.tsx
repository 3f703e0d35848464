import { i18n } from '@lingui/core';
import { IconMessage } from '@tabler/icons-react';
import { createContext, useContext } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { VisibleText } from '../../components/HazardText.tsx';
import { ellipsize } from '../../words/clip.ts';
import rowClasses from './desk/Row.module.css';
import type { Messages } from './list/filter.ts';
import classes from './SearchedWords.module.css';

/** A piece of text; `isMatch`: a search term. */
type ExcerptPiece = { text: string; isMatch: boolean };

/** Characters before the match, few enough for a narrow row, and in total. */
const lead = 16;
const maxExcerpt = 200;

/**
 * Returns a one-line excerpt around the first match, with all matches marked.
 *
 * @param first words that the excerpt begins at, in lower case like the others
 * @returns undefined without a match
 */
function excerptOf(text: string, words: readonly string[], first = words): ExcerptPiece[] | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  const at = line.search(anyOf(first));
  if (at === -1) return undefined;
  const start = at <= lead ? 0 : wordStart(line, at - lead, at);
  return `${start > 0 ? '…' : ''}${ellipsize(line.slice(start), maxExcerpt)}`
    .split(anyOf(words))
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter(({ text: piece }) => piece !== '');
}

/** Returns the next word start before `most`, or else `most` without splitting a character. */
function wordStart(line: string, from: number, most: number): number {
  const space = line.indexOf(' ', from);
  if (space !== -1 && space < most) return space + 1;
  return /[\uDC00-\uDFFF]/.test(line.charAt(from)) ? from + 1 : from;
}

/** Longer words first, so that a prefix doesn't match instead. */
const anyOf = (words: readonly string[]) =>
  new RegExp(
    `(${words
      .toSorted((one, other) => other.length - one.length)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('|')})`,
    'iu',
  );

/** Search terms in lower case, and the loaded messages. */
export const SearchedWords = createContext<{ words: readonly string[]; messages: Messages } | undefined>(
  undefined,
);

/** Returns excerpts with matches: of the reason, and of the message for words that aren't in the reason. */
export function useFound({ event_id: eventId, reason }: EventReportItem) {
  const search = useContext(SearchedWords);
  if (!search) return {};
  const { words, messages } = search;
  const reasonText = (reason ?? '').toLowerCase();
  const others = words.filter((word) => !reasonText.includes(word));
  if (others.length === 0) return { inReason: excerptOf(reason ?? '', words) };
  return { inMessage: excerptOf(messages(eventId) ?? '', words, others) };
}

/** An excerpt of the message next to the reason. */
export function FoundInMessage({ pieces }: { pieces: readonly ExcerptPiece[] }) {
  return (
    <span className={`${rowClasses.reason} ${classes.message}`}>
      <IconMessage size={12} className={classes.sign} role="img" aria-label={i18n.t('In message:')} />
      <Excerpt pieces={pieces} />
    </span>
  );
}

/** Renders untrusted text with marked matches. */
export function Excerpt({ pieces }: { pieces: readonly ExcerptPiece[] }) {
  return (
    <bdi>
      {pieces.map(({ text, isMatch }, index) =>
        isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces keep their order
          <mark key={index} className={classes.match}>
            <VisibleText text={text} />
          </mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces keep their order
          <VisibleText key={index} text={text} />
        ),
      )}
    </bdi>
  );
}
