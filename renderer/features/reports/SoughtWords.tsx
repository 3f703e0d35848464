import { i18n } from '@lingui/core';
import { IconMessage } from '@tabler/icons-react';
import { createContext, useContext } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { VisibleText } from '../../components/HazardText.tsx';
import rowClasses from './desk/Row.module.css';
import { type ExcerptPiece, excerptOf } from './rows/excerpt.ts';
import type { Messages } from './rows/sieve.ts';
import classes from './SoughtWords.module.css';

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
