import { i18n } from '@lingui/core';
import { IconUrgent } from '@tabler/icons-react';
import type { ReportState } from '../../../team/entries.ts';
import classes from './Row.module.css';

/** Whether a report waits for someone; of what is reviewed, or not known, there is nothing to say. */
export function StateSign({ state }: { state: ReportState | undefined }) {
  if (state === 'escalated') {
    return <IconUrgent size={15} className={classes.escalated} aria-label={i18n.t('Escalated')} role="img" />;
  }
  if (state !== 'open') return null;
  return <span className={classes.unread} role="img" aria-label={i18n.t('Open')} />;
}
