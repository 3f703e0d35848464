import { Menu, type MenuProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import {
  type ButtonHTMLAttributes,
  cloneElement,
  type ReactElement,
  type Ref,
  useId,
  useRef,
  useState,
} from 'react';
import { At } from './At.tsx';

type Attributes = ButtonHTMLAttributes<HTMLButtonElement> & {
  ref?: Ref<HTMLButtonElement>;
  'data-expanded'?: true | undefined;
};
type Props = Omit<MenuProps, 'opened' | 'defaultOpened' | 'onChange'> & {
  button: ReactElement<Attributes>;
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
  const id = useId();
  const element = useRef<HTMLButtonElement>(null);
  const ref = useMergedRef(element, button.props.ref);
  function change(next: boolean) {
    setOwn(next);
    onChange?.(next);
  }
  return (
    <>
      {cloneElement(button, {
        ref,
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': opened,
        'aria-controls': opened ? `${id}-dropdown` : undefined,
        'data-expanded': opened || undefined,
        onClick: () => change(!opened),
      })}
      {opened && (
        <Menu {...menu} id={id} opened onChange={change}>
          <Menu.Target>
            <At element={() => element.current} />
          </Menu.Target>
          {children}
        </Menu>
      )}
    </>
  );
}
