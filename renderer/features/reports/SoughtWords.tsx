import { i18n } from '@lingui/core';
import { IconMessage } from '@tabler/icons-react';
import { createContext, useContext } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { VisibleText } from '../../components/HazardText.tsx';
import { ellipsize } from '../../words/clip.ts';
import rowClasses from './desk/Row.module.css';
import type { Messages } from './list/filter.ts';
import classes from './SoughtWords.module.css';

/** A piece of a text, and whether it is one of the words that were sought. */
type ExcerptPiece = { text: string; isMatch: boolean };

/** So many characters stand before the match, so that it shows in a narrow row, and so many in all. */
const lead = 16;
const longest = 200;

/**
 * A text from a little before the first place where one of the words stands, in one line, with the words marked.
 *
 * @param first of these words, in small letters as all of them are, the place is looked for
 * @returns undefined where none of those is in the text
 */
function excerptOf(text: string, words: readonly string[], first = words): ExcerptPiece[] | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  const at = line.search(anyOf(first));
  if (at === -1) return undefined;
  const start = at <= lead ? 0 : wordStart(line, at - lead, at);
  return `${start > 0 ? '…' : ''}${ellipsize(line.slice(start), longest)}`
    .split(anyOf(words))
    .map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 }))
    .filter(({ text: piece }) => piece !== '');
}

/** The next beginning of a word, if there is one before `most`; else where half a character isn't cut off. */
function wordStart(line: string, from: number, most: number): number {
  const space = line.indexOf(' ', from);
  if (space !== -1 && space < most) return space + 1;
  return /[\uDC00-\uDFFF]/.test(line.charAt(from)) ? from + 1 : from;
}

/** Longer words first: what one begins with is no match of its own. */
const anyOf = (words: readonly string[]) =>
  new RegExp(
    `(${words
      .toSorted((one, other) => other.length - one.length)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('|')})`,
    'iu',
  );

/** What is sought in the list, in small letters, and what was read of the messages. */
export const SoughtWords = createContext<{ words: readonly string[]; messages: Messages } | undefined>(
  undefined,
);

/** Where in a report the words are: in its reason, or, as far as they aren't there, in its message. */
export function useFound({ event_id: eventId, reason }: EventReportItem) {
  const sought = useContext(SoughtWords);
  if (!sought) return {};
  const { words, messages } = sought;
  const said = (reason ?? '').toLowerCase();
  const others = words.filter((word) => !said.includes(word));
  if (others.length === 0) return { inReason: excerptOf(reason ?? '', words) };
  return { inMessage: excerptOf(messages(eventId) ?? '', words, others) };
}

/** A piece of the message beside its report's reason. */
export function FoundInMessage({ pieces }: { pieces: readonly ExcerptPiece[] }) {
  return (
    <span className={`${rowClasses.reason} ${classes.message}`}>
      <IconMessage size={12} className={classes.sign} role="img" aria-label={i18n.t('In message:')} />
      <Excerpt pieces={pieces} />
    </span>
  );
}

/** Words that someone unknown wrote, with those marked that were sought. */
export function Excerpt({ pieces }: { pieces: readonly ExcerptPiece[] }) {
  return (
    <bdi>
      {pieces.map(({ text, isMatch }, index) =>
        isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
          <mark key={index} className={classes.match}>
            <VisibleText text={text} />
          </mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
          <VisibleText key={index} text={text} />
        ),
      )}
    </bdi>
  );
}
