import { i18n } from '@lingui/core';
import { useSyncExternalStore } from 'react';
import { useConsole, useServer } from '../console-context.ts';
import { failureSentence } from '../transport/failure-sentence.ts';
import classes from './ActionPanel.module.css';
import { isLost } from './jobs/is-lost.ts';
import { asError, type Failure } from './jobs/job.ts';

/** Why it was not done; of a connection that is back again, that it is. */
export function PanelFailure({ why }: { why: Failure }) {
  const { reachability } = useConsole();
  const server = useServer();
  const isAway = useSyncExternalStore(reachability.subscribe, () => reachability.of(server.id) === 'offline');
  const error = asError(why);
  const isBack = isLost(error) && !isAway;
  return (
    <p className={isBack ? classes.warning : classes.failure} role="alert">
      {isBack
        ? i18n.t('The server is back. Pending requests may have succeeded; repeating is safe.')
        : failureSentence(error)}
    </p>
  );
}
