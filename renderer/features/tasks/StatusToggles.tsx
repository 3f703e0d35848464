import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { number } from '../../words/format.ts';
import classes from './StatusToggles.module.css';
import { TaskStatusMark } from './TaskStatusMark.tsx';
import { type TaskState, taskStates } from './task-search.ts';

type Props = {
  /** Undefined where they aren't known. */
  tasks: readonly ScheduledTask[] | undefined;
  shown: readonly TaskState[] | undefined;
  onChange: (shown: TaskState[] | undefined) => void;
};

/** One toggle a status with how many tasks have it; none pressed shows all. */
export function StatusToggles({ tasks, shown = [], onChange }: Props) {
  const counts = Map.groupBy(tasks ?? [], ({ status }) => status);
  const present = taskStates.filter(
    (status) => status !== 'cancelled' || counts.has(status) || shown.includes(status),
  );

  function toggle(status: TaskState) {
    const next = shown.includes(status) ? shown.filter((one) => one !== status) : [...shown, status];
    onChange(next.length > 0 ? next : undefined);
  }

  return (
    <fieldset className={classes.toggles} aria-label={i18n.t('Status')}>
      {present.map((status) => (
        <UnstyledButton
          key={status}
          className={classes.toggle}
          aria-pressed={shown.includes(status)}
          onClick={() => toggle(status)}
        >
          <TaskStatusMark status={status} />
          <span className={classes.count}>{tasks && number(counts.get(status)?.length ?? 0)}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}
