import { i18n } from '@lingui/core';
import { Button, Kbd, Menu, type PopoverProps } from '@mantine/core';
import { IconBasketMinus, IconBasketPlus, IconChevronDown } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, useRef } from 'react';
import { ButtonMenu } from '../../components/ButtonMenu.tsx';
import { keyLabel } from '../../components/commands.ts';
import { actionText, groupName } from '../action-words.ts';
import type { BasketEntry } from '../basket/use-basket.ts';
import classes from './ActionBar.module.css';
import { type Choice, harmlessFirst } from './choices.ts';
import { haveSections, inSections } from './sections.ts';

/** Limits a popover to the larger free side of the window. */
export const fitToWindow: PopoverProps['middlewares'] = {
  flip: true,
  shift: true,
  size: {
    padding: 8,
    apply({ availableHeight, elements }) {
      elements.floating.style.setProperty('--gh-room', `${Math.floor(availableHeight)}px`);
    },
  },
};

/** Action of the first basket entry. */
export const basketKey = 'B';

const resetMs = 1000;

/** Typeahead with spaces. Repeating one letter cycles through the items that begin with it. */
function useTypeahead() {
  const typed = useRef({ text: '', at: 0 });
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, timeStamp, ctrlKey, metaKey, altKey } = event;
    if (key.length > 1 || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    const before = timeStamp - typed.current.at < resetMs ? typed.current.text : '';
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
  basket: readonly BasketEntry[];
  hasEvent: boolean;
  withKey: boolean;
  opened: boolean;
  onChange: (opened: boolean) => void;
  onChoose: (choice: Choice, from: Element | null) => void;
};

/** All actions, grouped by their target or, for a single user or room, by purpose, each with a hint. */
export function ActionMenu({ choices, basket, hasEvent, withKey, opened, onChange, onChoose }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const onTyped = useTypeahead();
  // Several items may have both an action and its inverse; the first one gets the shared key.
  const byKey = new Map(choices.toReversed().map((choice) => [choice.action.key, choice]));
  const groups = haveSections(choices)
    ? inSections(choices)
    : // The first focused action is harmless, for keys and the pointer.
      [...Map.groupBy(harmlessFirst(choices), ({ action }) => action.group)].map(
        ([group, members]) => [groupName(group, hasEvent), members] as const,
      );
  return (
    <ButtonMenu
      opened={opened}
      onChange={onChange}
      position="bottom-start"
      middlewares={fitToWindow}
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
        {groups.map(([name, members]) => (
          <Fragment key={name}>
            <Menu.Label>{name}</Menu.Label>
            {members.map((choice) => {
              const { id, icon: Icon, destructive, key } = choice.action;
              return (
                <Menu.Item
                  key={id}
                  leftSection={<Icon size={15} stroke={1.6} />}
                  rightSection={
                    withKey &&
                    key &&
                    byKey.get(key) === choice && (
                      <Kbd size="xs" aria-hidden>
                        {keyLabel(key)}
                      </Kbd>
                    )
                  }
                  data-destructive={destructive}
                  className={classes.item}
                  onClick={() => onChoose(choice, button.current)}
                >
                  <span className={classes.label}>{actionText(choice.action, 'label', choice.items)}</span>{' '}
                  <span className={classes.hint}>{i18n.t(choice.action.hint)}</span>
                </Menu.Item>
              );
            })}
          </Fragment>
        ))}
        {basket.length > 0 && <Menu.Label>{i18n.t('Basket')}</Menu.Label>}
        {basket.map(({ kind, label, isIn, toggle }, place) => {
          const Icon = isIn ? IconBasketMinus : IconBasketPlus;
          return (
            <Menu.Item
              key={kind}
              leftSection={<Icon size={15} stroke={1.6} />}
              rightSection={
                withKey &&
                place === 0 && (
                  <Kbd size="xs" aria-hidden>
                    {basketKey}
                  </Kbd>
                )
              }
              className={classes.item}
              onClick={toggle}
            >
              <span className={classes.label}>{label}</span>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
