import { i18n } from '@lingui/core';
import { failureSentence } from '../../../transport/failure-sentence.ts';
import type { StreamState } from '../use-event-stream.ts';
import classes from './Requests.module.css';

/** Said while what is followed has broken off; it is taken up again by itself. */
export function StreamNote({ stream }: { stream: StreamState }) {
  if (stream.status !== 'lost') return null;
  return (
    <p className={`${classes.note} ${classes.lost}`} role="status">
      {stream.error
        ? `${failureSentence(stream.error)} ${i18n.t('Retrying automatically…')}`
        : i18n.t('Connection closed. Reconnecting…')}
    </p>
  );
}
