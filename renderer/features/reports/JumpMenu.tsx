import { i18n } from '@lingui/core';
import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { IconCalendarSearch } from '@tabler/icons-react';
import { memo, useRef, useState } from 'react';
import { At } from '../../components/At.tsx';
import { Hint } from '../../components/Hint.tsx';
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
  const button = useRef<HTMLButtonElement>(null);

  async function jump(target: JumpTarget) {
    setJumping(true);
    await onJump(target).finally(() => setJumping(false));
    onOpen(false);
  }

  return (
    <>
      <Hint label={i18n.t('Jump to a date or a place')}>
        <ActionIcon
          ref={button}
          size={22}
          aria-label={i18n.t('Jump in the list')}
          onClick={() => onOpen(!opened)}
        >
          <IconCalendarSearch size={14} stroke={1.7} />
        </ActionIcon>
      </Hint>
      {opened && (
        <Popover opened onChange={onOpen} position="bottom-end" shadow="md" trapFocus>
          <Popover.Target>
            <At element={() => button.current} />
          </Popover.Target>
          <Popover.Dropdown aria-label={i18n.t('Jump in the list')}>
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
                    {i18n.t('Go there')}
                  </Button>
                </form>
              )}
              <div className={classes.places}>
                <Button variant="subtle" size="compact-xs" onClick={() => jump('start')}>
                  {i18n.t('Start')}
                </Button>
                <Button variant="subtle" size="compact-xs" onClick={() => jump('middle')}>
                  {i18n.t('Middle')}
                </Button>
                <Button variant="subtle" size="compact-xs" onClick={() => jump('end')}>
                  {i18n.t('End')}
                </Button>
              </div>
            </div>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
});
