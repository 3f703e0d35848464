import { Menu, type MenuProps } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { type OpenerAttributes, useOpener } from './opener.tsx';

type Props = Omit<MenuProps, 'opened' | 'defaultOpened' | 'onChange'> & {
  button: ReactElement<OpenerAttributes>;
  /** What is in the menu. */
  children: ReactElement;
  /** Left out where nothing but the button opens it. */
  opened?: boolean;
  onChange?: (opened: boolean) => void;
};

/** A button that opens a menu. Nothing of the menu is made before: it costs more than all that stands around it. */
export function ButtonMenu({ button, children, opened: asked, onChange, ...menu }: Props) {
  const [isOwn, setOwn] = useState(false);
  const opened = asked ?? isOwn;
  function change(next: boolean) {
    setOwn(next);
    onChange?.(next);
  }
  const { opener, target, id } = useOpener(button, 'menu', opened, change);
  return (
    <>
      {opener}
      {opened && (
        <Menu {...menu} id={id} opened onChange={change}>
          <Menu.Target>{target}</Menu.Target>
          {children}
        </Menu>
      )}
    </>
  );
}
