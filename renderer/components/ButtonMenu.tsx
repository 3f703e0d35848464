import { ActionIcon, Menu, type MenuProps, Popover } from '@mantine/core';
import { assignRef, useMergedRef } from '@mantine/hooks';
import type { Icon } from '@tabler/icons-react';
import {
  type ButtonHTMLAttributes,
  cloneElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Hint } from './Hint.tsx';

type AtProps = { element: () => HTMLElement | null; ref?: Ref<HTMLElement> };

/** The target of a popover that is made when it opens: what it opens at stands on screen already. */
export function At({ element, ref }: AtProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it stays where it opened
  useLayoutEffect(() => {
    assignRef(ref, element());
  }, []);
  return null;
}

type OpenerAttributes = ButtonHTMLAttributes<HTMLButtonElement> & {
  ref?: Ref<HTMLButtonElement>;
  'data-expanded'?: true | undefined;
};

/**
 * A button that opens what is not made before.
 *
 * @returns the button, the target of what opens at it, and the identifier that this has to have
 */
function useOpener(
  button: ReactElement<OpenerAttributes>,
  opens: 'menu' | 'dialog',
  opened: boolean,
  change: (opened: boolean) => void,
) {
  const id = useId();
  const element = useRef<HTMLButtonElement>(null);
  const ref = useMergedRef(element, button.props.ref);
  const opener = cloneElement(button, {
    ref,
    id,
    'aria-haspopup': opens,
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    'data-expanded': opened || undefined,
    onClick: () => change(!opened),
  });
  return { opener, target: <At element={() => element.current} />, id };
}

type ButtonMenuProps = Omit<MenuProps, 'opened' | 'defaultOpened' | 'onChange'> & {
  button: ReactElement<OpenerAttributes>;
  /** What is in the menu. */
  children: ReactElement;
  /** Left out where nothing but the button opens it. */
  opened?: boolean;
  onChange?: (opened: boolean) => void;
};

/** A button that opens a menu. Nothing of the menu is made before: it costs more than all that stands around it. */
export function ButtonMenu({ button, children, opened: asked, onChange, ...menu }: ButtonMenuProps) {
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
