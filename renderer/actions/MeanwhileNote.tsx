import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Checkbox } from '@mantine/core';
import { HazardText } from '../components/HazardText.tsx';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { number } from '../words/format.ts';
import classes from './ActionPanel.module.css';
import type { Meanwhile } from './use-meanwhile.ts';

type Props = {
  /** To how many it is to be done. */
  count: number;
  /** What the team's log says of it; undefined where the server alone says that it is so. */
  meanwhile: Meanwhile | undefined;
  /** It was sent from here before, and no reply came. */
  isSent: boolean;
  isAgreed: boolean;
  onAgree: (isAgreed: boolean) => void;
};

/** Somebody was faster: it is done again only by whoever says so. */
export default function MeanwhileNote({ count, meanwhile, isSent, isAgreed, onAgree }: Props) {
  const done = meanwhile?.items.length ?? count;
  return (
    <div className={classes.warning} role="alert">
      {meanwhile ? (
        <Trans
          id={
            count === 1
              ? /*i18n*/ '<0/> has done this meanwhile, <1/>.'
              : /*i18n*/ '<0/> has done this to {done} of them meanwhile, <1/>.'
          }
          values={{ done: number(done) }}
          components={{
            0: <HazardText text={meanwhile.by} />,
            1: <RelativeTime timestamp={meanwhile.at} long />,
          }}
        />
      ) : isSent ? (
        i18n.t('It is so by now: what was sent has arrived, or somebody else has done it.')
      ) : (
        i18n.t('It is so by now: somebody else has done it.')
      )}
      {done === count && (
        <Checkbox
          size="xs"
          mt={6}
          label={i18n.t('Do it all the same')}
          checked={isAgreed}
          onChange={(event) => onAgree(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
