import { ActionIcon, Popover } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Hint } from '../../components/Hint.tsx';
import { useOpener } from '../../components/opener.tsx';

type Props = {
  label: string;
  hint: string;
  icon: Icon;
  opened: boolean;
  onOpen: (opened: boolean) => void;
  children: ReactNode;
};

/** A small button over a list that opens a panel. Nothing of the panel is made before. */
export function ButtonPanel({ label, hint, icon: ButtonIcon, opened, onOpen, children }: Props) {
  const button = (
    <Hint label={hint}>
      <ActionIcon size={22} aria-label={label}>
        <ButtonIcon size={14} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
  const { opener, target, id } = useOpener(button, 'dialog', opened, onOpen);
  return (
    <>
      {opener}
      {opened && (
        <Popover
          id={id}
          opened
          onChange={onOpen}
          position="bottom-end"
          shadow="md"
          middlewares={{ flip: true, shift: true, size: true }}
          trapFocus
        >
          <Popover.Target>{target}</Popover.Target>
          <Popover.Dropdown aria-label={label} style={{ overflowY: 'auto' }}>
            {children}
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}
