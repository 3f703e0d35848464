import { i18n } from '@lingui/core';
import {
  type Icon,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconProgress,
} from '@tabler/icons-react';
import { HazardText } from '../../components/HazardText.tsx';
import { truncate } from '../../words/clip.ts';
import classes from './TaskStatusMark.module.css';
import type { TaskState } from './task-search.ts';

const marks: Record<TaskState, { icon: Icon; word: string }> = {
  scheduled: { icon: IconClock, word: /*i18n*/ 'Scheduled' },
  active: { icon: IconProgress, word: /*i18n*/ 'Running' },
  complete: { icon: IconCircleCheck, word: /*i18n*/ 'Complete' },
  failed: { icon: IconCircleX, word: /*i18n*/ 'Failed' },
  cancelled: { icon: IconBan, word: /*i18n*/ 'Canceled' },
};

export const statusWord = (status: TaskState) => i18n.t(marks[status].word);

export function TaskStatusMark({ status }: { status: TaskState }) {
  const known = Object.hasOwn(marks, status) ? marks[status] : undefined;
  const Icon = known?.icon ?? IconHelpCircle;
  return (
    <span className={classes.mark} data-status={status}>
      <Icon size={15} stroke={1.8} aria-hidden />
      {known ? i18n.t(known.word) : <HazardText text={truncate(status, 40)} />}
    </span>
  );
}
