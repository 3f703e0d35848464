import { i18n } from '@lingui/core';
import {
  type Icon,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconProgress,
} from '@tabler/icons-react';
import classes from './TaskStatusMark.module.css';
import type { TaskState } from './task-search.ts';

const marks: Record<TaskState, { icon: Icon; word: string }> = {
  scheduled: { icon: IconClock, word: /*i18n*/ 'Scheduled' },
  active: { icon: IconProgress, word: /*i18n*/ 'Active' },
  complete: { icon: IconCircleCheck, word: /*i18n*/ 'Complete' },
  failed: { icon: IconCircleX, word: /*i18n*/ 'Failed' },
  cancelled: { icon: IconBan, word: /*i18n*/ 'Cancelled' },
};

export const statusWord = (status: TaskState) => i18n.t(marks[status].word);

export function TaskStatusMark({ status }: { status: TaskState }) {
  const { icon: Icon, word } = marks[status];
  return (
    <span className={classes.mark} data-status={status}>
      <Icon size={15} stroke={1.8} aria-hidden />
      {i18n.t(word)}
    </span>
  );
}
