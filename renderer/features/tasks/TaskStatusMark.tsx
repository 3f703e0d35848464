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
  scheduled: { icon: IconClock, word: 'Scheduled' },
  active: { icon: IconProgress, word: 'Active' },
  complete: { icon: IconCircleCheck, word: 'Complete' },
  failed: { icon: IconCircleX, word: 'Failed' },
  cancelled: { icon: IconBan, word: 'Cancelled' },
};

export const statusWord = (status: TaskState) => marks[status].word;

export function TaskStatusMark({ status }: { status: TaskState }) {
  const { icon: Icon, word } = marks[status];
  return (
    <span className={classes.mark} data-status={status}>
      <Icon size={15} stroke={1.8} aria-hidden />
      {word}
    </span>
  );
}
