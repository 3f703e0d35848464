import { Button, Kbd, Menu } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { ButtonMenu } from '../../../components/ButtonMenu.tsx';
import { useConsole } from '../../../console-context.ts';

export type KeyChoice = { key: string; label: ReactNode; isCurrent?: boolean; run: () => void };

type Props = {
  label: string;
  /** Opens the menu. */
  menuKey: string;
  icon: ReactNode;
  /** Default: only the icon. */
  children?: ReactNode;
  choices: readonly KeyChoice[];
  opened: boolean;
  onOpen: (opened: boolean) => void;
};

/** A button with a menu in which each choice has a key. */
export function KeyMenu({ label, menuKey, icon, children, choices, opened, onOpen }: Props) {
  const { commands } = useConsole();
  const latest = useRef({ choices, onOpen });
  useLayoutEffect(() => {
    latest.current = { choices, onOpen };
  });
  // Also before the menu has the focus.
  useLayoutEffect(() => {
    if (!opened) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !commands.keyWorks(event.key)) return;
      const chosen = latest.current.choices.find(({ key }) => key === event.key);
      if (!chosen) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      latest.current.onOpen(false);
      chosen.run();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [opened, commands]);
  const withKeys = commands.keyWorks(menuKey);
  return (
    <ButtonMenu
      opened={opened}
      onChange={onOpen}
      position="bottom-start"
      button={
        <Button
          variant="default"
          size="compact-sm"
          aria-label={children ? undefined : label}
          title={label}
          leftSection={children ? icon : undefined}
          rightSection={
            withKeys && (
              <Kbd size="xs" aria-hidden>
                {menuKey}
              </Kbd>
            )
          }
        >
          {children || icon}
        </Button>
      }
    >
      <Menu.Dropdown aria-label={label}>
        {choices.map(({ key, label: name, isCurrent, run }) => (
          <Menu.Item
            key={key}
            disabled={isCurrent === true}
            rightSection={withKeys && <Kbd size="xs">{key}</Kbd>}
            onClick={run}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
