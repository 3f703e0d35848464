import { i18n } from '@lingui/core';
import { Button, Kbd, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Fragment, useRef } from 'react';
import { ButtonMenu } from '../components/ButtonMenu.tsx';
import { keyLabel } from '../components/key-label.ts';
import classes from './ActionBar.module.css';
import { groupName, say } from './action-words.ts';
import { type Choice, harmlessFirst } from './choices.ts';
import { fitting } from './panel-room.ts';
import { useTypedWords } from './typed-words.ts';

type Props = {
  choices: readonly Choice[];
  hasEvent: boolean;
  withKey: boolean;
  opened: boolean;
  onChange: (opened: boolean) => void;
  onChoose: (choice: Choice, from: Element | null) => void;
};

/** All actions, grouped by what they touch, each with a word on what it does. */
export function ActionMenu({ choices, hasEvent, withKey, opened, onChange, onChoose }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const onTyped = useTypedWords();
  // Of many, some can be what others are no more: the key is that of the first.
  const ofKeys = new Map(choices.toReversed().map((choice) => [choice.action.key, choice]));
  // Keys and the pointer meet something harmless first.
  const groups = [...Map.groupBy(harmlessFirst(choices), ({ action }) => action.group)];
  return (
    <ButtonMenu
      opened={opened}
      onChange={onChange}
      position="bottom-start"
      middlewares={fitting}
      width="min(32rem, calc(100vw - 2rem))"
      button={
        <Button
          ref={button}
          variant="default"
          {...(withKey && { 'aria-keyshortcuts': 'm' })}
          rightSection={
            <>
              {withKey && (
                <Kbd size="xs" className={classes.key} aria-hidden>
                  m
                </Kbd>
              )}
              <IconChevronDown size={13} aria-hidden className={classes.chevron} />
            </>
          }
        >
          {i18n.t('More')}
        </Button>
      }
    >
      <Menu.Dropdown className={classes.menu} onKeyDown={onTyped}>
        {groups.map(([group, members]) => (
          <Fragment key={group}>
            <Menu.Label>{groupName(group, hasEvent)}</Menu.Label>
            {members.map((choice) => {
              const { id, icon: Icon, destructive, key } = choice.action;
              return (
                <Menu.Item
                  key={id}
                  leftSection={<Icon size={15} stroke={1.6} />}
                  rightSection={
                    withKey &&
                    key &&
                    ofKeys.get(key) === choice && (
                      <Kbd size="xs" aria-hidden>
                        {keyLabel(key)}
                      </Kbd>
                    )
                  }
                  data-destructive={destructive}
                  className={classes.item}
                  onClick={() => onChoose(choice, button.current)}
                >
                  <span className={classes.label}>{say(choice.action, 'label', choice.items)}</span>{' '}
                  <span className={classes.hint}>{i18n.t(choice.action.hint)}</span>
                </Menu.Item>
              );
            })}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
