import { i18n } from '@lingui/core';
import { Button, Kbd, Menu, type PopoverProps } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, useRef } from 'react';
import { ButtonMenu } from '../../components/ButtonMenu.tsx';
import { keyLabel } from '../../components/commands.ts';
import { groupName, say } from '../action-words.ts';
import classes from './ActionBar.module.css';
import { type Choice, harmlessFirst } from './choices.ts';

/** As high as there is room for, on the side where there is more of it. */
export const fitting: PopoverProps['middlewares'] = {
  flip: true,
  shift: true,
  size: {
    padding: 8,
    apply({ availableHeight, elements }) {
      elements.floating.style.setProperty('--gh-room', `${Math.floor(availableHeight)}px`);
    },
  },
};

/** What is typed after such a pause begins anew. */
const pauseMs = 1000;

/**
 * What is typed in an open menu leads to the first item that begins with it. A space is a character like the others,
 * and chooses nothing: that is what Enter does. One letter again and again goes through the items that begin with it.
 */
function useTypedWords() {
  const typed = useRef({ text: '', at: 0 });
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, timeStamp, ctrlKey, metaKey, altKey } = event;
    if (key.length > 1 || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    const before = timeStamp - typed.current.at < pauseMs ? typed.current.text : '';
    const text = (before + key).toLowerCase().trimStart();
    typed.current = { text, at: timeStamp };
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const isOneLetter = text !== '' && new Set(text).size === 1;
    const next = isOneLetter ? items.indexOf(document.activeElement as HTMLElement) + 1 : 0;
    const begins = (item: HTMLElement) =>
      item.textContent.toLowerCase().startsWith(isOneLetter ? key.toLowerCase() : text);
    if (text) [...items.slice(next), ...items.slice(0, next)].find(begins)?.focus();
  };
}

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
