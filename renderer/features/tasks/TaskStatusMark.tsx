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
import { StateMark, type Tone } from '../../components/State.tsx';
import { truncate } from '../../words/clip.ts';
import type { TaskState } from './task-search.ts';

const marks: Record<TaskState, { icon: Icon; tone: Tone; word: string }> = {
  scheduled: { icon: IconClock, tone: 'neutral', word: /*i18n*/ 'Scheduled' },
  active: { icon: IconProgress, tone: 'info', word: /*i18n*/ 'Running' },
  complete: { icon: IconCircleCheck, tone: 'success', word: /*i18n*/ 'Complete' },
  failed: { icon: IconCircleX, tone: 'danger', word: /*i18n*/ 'Failed' },
  cancelled: { icon: IconBan, tone: 'neutral', word: /*i18n*/ 'Canceled' },
};

export const statusWord = (status: TaskState) => i18n.t(marks[status].word);

export function TaskStatusMark({ status }: { status: TaskState }) {
  const known = Object.hasOwn(marks, status) ? marks[status] : undefined;
  if (!known) {
    return (
      <StateMark words={status} tone="neutral" icon={IconHelpCircle}>
        <HazardText text={truncate(status, 40)} />
      </StateMark>
    );
  }
  return <StateMark words={i18n.t(known.word)} tone={known.tone} icon={known.icon} />;
}
