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

/** Stands in for a popover's target that is already on screen. */
export function PopoverAnchor({
  element,
  ref,
}: {
  element: () => HTMLElement | null;
  ref?: Ref<HTMLElement>;
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the target is set once, on mount
  useLayoutEffect(() => {
    assignRef(ref, element());
  }, []);
  return null;
}

type PopupButtonAttributes = ButtonHTMLAttributes<HTMLButtonElement> & {
  ref?: Ref<HTMLButtonElement>;
  'data-expanded'?: true | undefined;
};

/**
 * Connects a button to a popup that mounts only while open.
 *
 * @returns the button, the popup's target, and the `id` that the popup must have
 */
function usePopupButton(
  button: ReactElement<PopupButtonAttributes>,
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
  return { opener, target: <PopoverAnchor element={() => element.current} />, id };
}

type Props = Omit<MenuProps, 'opened' | 'defaultOpened' | 'onChange'> & {
  button: ReactElement<PopupButtonAttributes>;
  children: ReactElement;
  /** Undefined if only the button opens the menu. */
  opened?: boolean;
  onChange?: (opened: boolean) => void;
};

/** Renders a button with a menu, which mounts on opening: a mounted menu costs more than the rows around it. */
export function ButtonMenu({ button, children, opened: controlled, onChange, ...menu }: Props) {
  const [isOpen, setOpen] = useState(false);
  const opened = controlled ?? isOpen;
  function change(next: boolean) {
    setOpen(next);
    onChange?.(next);
  }
  const { opener, target, id } = usePopupButton(button, 'menu', opened, change);
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

type ButtonPanelProps = {
  label: string;
  hint: string;
  icon: Icon;
  /** As high as the field, with a border. */
  isBesideField?: boolean;
  opened: boolean;
  onOpen: (opened: boolean) => void;
  children: ReactNode;
};

/** Renders an icon button with a panel, which mounts on opening. */
export function ButtonPanel(props: ButtonPanelProps) {
  const { label, hint, icon: ButtonIcon, isBesideField = false, opened, onOpen, children } = props;
  const button = (
    <Hint label={hint}>
      <ActionIcon
        {...(isBesideField ? { variant: 'default', size: 'input-xs' } : { size: 22 })}
        aria-label={label}
      >
        <ButtonIcon size={isBesideField ? 16 : 14} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
  const { opener, target, id } = usePopupButton(button, 'dialog', opened, onOpen);
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
