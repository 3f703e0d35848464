import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import classes from './JobRows.module.css';
import type { JobItem } from './jobs/job.ts';
import { keyOf } from './subject.ts';

/** What the server calls the tasks that actions begin. */
const taskOf: Readonly<Record<string, string>> = {
  'redact-user': 'redact_all_events',
  'purge-history': 'purge_history',
  'shut-down-room': 'shutdown_and_purge_room',
  'purge-room': 'shutdown_and_purge_room',
};

/** What the tasks screen shows of it: one task's row, or all of this kind. */
export function JobTaskLink({
  item: { item },
  one,
  action,
}: {
  item: JobItem;
  one: boolean;
  action: string;
}) {
  return (
    <Link
      to="/tasks"
      search={({ server }) => ({ server, ...(one ? { resource: keyOf(item) } : { action: taskOf[action] }) })}
      className={classes.link}
    >
      {one ? i18n.t('Task') : i18n.t('Tasks')}
    </Link>
  );
}
