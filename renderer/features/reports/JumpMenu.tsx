import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconCalendarSearch } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { ButtonPanel } from './ButtonPanel.tsx';
import classes from './JumpMenu.module.css';

export type JumpTarget = 'start' | 'middle' | 'end' | { day: string };

type Props = {
  opened: boolean;
  onOpen: (opened: boolean) => void;
  /** Whether the list is in the order of time, so that a day has a place in it. */
  byTime: boolean;
  onJump: (target: JumpTarget) => Promise<void>;
};

/** To any place of the list, without scrolling there. */
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
