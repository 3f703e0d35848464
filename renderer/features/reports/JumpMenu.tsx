import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconCalendarSearch } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import type { Moment } from '../../api/reports/report-order.ts';
import type { ReportOrder } from '../../api/reports/report-source.ts';
import { ButtonPanel } from '../../components/ButtonMenu.tsx';
import classes from './JumpMenu.module.css';
import type { ReportList } from './list/use-report-list.ts';

export type JumpTarget = 'start' | 'middle' | 'end' | { day: string };

type Props = {
  opened: boolean;
  onOpen: (opened: boolean) => void;
  /** Whether the list is sorted by time. */
  byTime: boolean;
  onJump: (target: JumpTarget) => Promise<void>;
};

/** Jumps to a position in the list. */
export const JumpMenu = memo(function JumpMenu({ opened, onOpen, byTime, onJump }: Props) {
  const [day, setDay] = useState('');
  const [jumping, setJumping] = useState(false);

  async function jump(target: JumpTarget) {
    setJumping(true);
    await onJump(target).finally(() => setJumping(false));
    onOpen(false);
  }

  return (
    <ButtonPanel
      label={i18n.t('Jump in list')}
      hint={i18n.t('Jump to date or position')}
      icon={IconCalendarSearch}
      opened={opened}
      onOpen={onOpen}
    >
      <div className={classes.panel}>
        {byTime && (
          <form
            className={classes.day}
            onSubmit={(event) => {
              event.preventDefault();
              if (day !== '') void jump({ day });
            }}
          >
            <TextInput
              type="date"
              label={i18n.t('Day')}
              value={day}
              data-autofocus
              onChange={(event) => setDay(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={jumping} disabled={day === ''}>
              {i18n.t('Jump')}
            </Button>
          </form>
        )}
        <div className={classes.places}>
          <Button variant="subtle" size="compact-xs" onClick={() => jump('start')}>
            {i18n.t('Beginning')}
          </Button>
          <Button variant="subtle" size="compact-xs" onClick={() => jump('middle')}>
            {i18n.t('Middle')}
          </Button>
          <Button variant="subtle" size="compact-xs" onClick={() => jump('end')}>
            {i18n.t('End')}
          </Button>
        </div>
      </div>
    </ButtonPanel>
  );
});

/** Returns where a local day (`2026-03-01`) begins in a list; undefined if it's invalid. */
function momentOfDay(day: string, dir: ReportOrder): Moment | undefined {
  const start = new Date(`${day}T00:00`);
  if (Number.isNaN(start.getTime())) return undefined;
  // Newest first, a day begins with its end.
  const next = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1);
  return dir === 'b'
    ? { received_ts: next.getTime() - 1, id: Number.MAX_SAFE_INTEGER }
    : { received_ts: start.getTime(), id: 0 };
}

/** Returns the row of a target; undefined if there is none. @param count of rows */
export async function rowOfTarget(
  target: JumpTarget,
  count: number,
  { window, dir }: ReportList<EventReportItem>,
): Promise<number | undefined> {
  if (count === 0) return undefined;
  if (target === 'start') return 0;
  if (target === 'end') return count - 1;
  if (target === 'middle') return Math.floor(count / 2);
  const moment = momentOfDay(target.day, dir);
  const row = moment && (await window.find(moment));
  return row === undefined ? undefined : Math.min(count - 1, Math.max(0, row));
}
