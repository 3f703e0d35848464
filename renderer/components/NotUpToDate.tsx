import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button } from '@mantine/core';
import { failureSentence } from '../transport/refusal.ts';
import classes from './NotUpToDate.module.css';
import { RelativeTime } from './RelativeTime.tsx';

type Props = {
  error: Error;
  /** Of when what is shown is, in milliseconds. */
  since: number;
  onRetry: () => unknown;
};

/** Beside what is still shown though it could not be loaded again: how old it is. Why, on hover. */
export function NotUpToDate({ error, since, onRetry }: Props) {
  return (
    <span className={classes.stale} role="alert" title={failureSentence(error)}>
      <Trans id="Couldn't refresh. Last loaded <0/>" components={{ 0: <RelativeTime timestamp={since} /> }} />
      <Button variant="subtle" size="compact-xs" onClick={() => onRetry()}>
        {i18n.t('Retry')}
      </Button>
    </span>
  );
}
