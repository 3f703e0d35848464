import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Checkbox } from '@mantine/core';
import { HazardText } from '../components/HazardText.tsx';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { number } from '../words/format.ts';
import classes from './ActionPanel.module.css';
import type { Action } from './action.ts';
import { say } from './action-words.ts';
import type { Meanwhile } from './use-meanwhile.ts';

type Props = {
  action: Action;
  /** To how many it is to be done. */
  count: number;
  /** What the team's log says of it; nothing where the server alone says that it is so. */
  meanwhile: readonly Meanwhile[];
  /** There is nothing left of it to do. */
  isDone: boolean;
  /** It was sent from here before, and no reply came. */
  isSent: boolean;
  isAgreed: boolean;
  onAgree: (isAgreed: boolean) => void;
};

/** Somebody was faster: what is all done is done again only by whoever says so. */
export function MeanwhileNote(props: Props) {
  const { action, count, meanwhile, isDone, isSent, isAgreed, onAgree } = props;
  return (
    <div className={classes.warning} role="alert">
      {meanwhile.map(({ step, by, at, items }) => (
        <div key={step.id}>
          <Trans
            id={sentenceOf(step !== action, count > 1)}
            values={{ step: say(step, 'label', items), done: number(items.length) }}
            components={{
              0: <HazardText text={by} />,
              1: <RelativeTime timestamp={at} long />,
            }}
          />
        </div>
      ))}
      {meanwhile.length === 0 &&
        (isSent ? i18n.t('Already done, by your request or another admin.') : i18n.t('Already done.'))}
      {isDone && (
        <Checkbox
          size="xs"
          mt={6}
          label={i18n.t('Continue anyway')}
          checked={isAgreed}
          onChange={(event) => onAgree(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}

function sentenceOf(isStep: boolean, isOfMany: boolean): string {
  if (isStep)
    return isOfMany
      ? /*i18n*/ '<0/> already did “{step}” for {done} of them <1/>.'
      : /*i18n*/ '<0/> already did “{step}” <1/>.';
  return isOfMany
    ? /*i18n*/ '<0/> already did this for {done} of them <1/>.'
    : /*i18n*/ '<0/> already did this <1/>.';
}
