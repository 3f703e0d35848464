import { i18n } from '@lingui/core';
import { useContext } from 'react';
import { clipped } from '../../words/beginning.ts';
import { HazardText } from '../HazardText.tsx';
import { KnownEvents } from './EventName.tsx';
import classes from './PollView.module.css';
import { type Poll, pollOf } from './poll-content.ts';
import { object } from './read-json.ts';
import { Said } from './Said.tsx';

/** What was voted, in words where the poll is known. */
export function ChosenAnswers({ of, ids }: { of: string | undefined; ids: string[] }) {
  const { eventOf } = useContext(KnownEvents);
  const poll = pollOf(object(eventOf(of ?? '')?.content) ?? {});
  const answers = ids.map((id) => poll?.answers.find((answer) => answer.id === id)?.text ?? id);
  return <Said text={answers.map((answer) => `“${answer}”`).join(', ')} />;
}

/** A poll as it was asked. Votes are events of their own. */
export function PollView({ poll }: { poll: Poll }) {
  const { question, answers, left, disclosed, most } = poll;
  return (
    <div className={classes.poll}>
      <strong className={classes.question}>
        <HazardText text={clipped(question, 1000) || i18n.t('Poll without question')} />
      </strong>
      <ul className={classes.answers} aria-label={i18n.t('Answers')}>
        {answers.map(({ id, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hostile identifiers can be the same, and answers stay in place
          <li key={index} title={id}>
            <HazardText text={clipped(text, 500) || i18n.t('(empty)')} />
          </li>
        ))}
      </ul>
      <span className={classes.note}>
        {[
          left > 0 && i18n.t('{left, plural, one {# more answer} other {# more answers}}', { left }),
          most > 1 && i18n.t('up to {most} choices', { most }),
          disclosed ? i18n.t('votes visible immediately') : i18n.t('votes visible at the end'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  );
}
