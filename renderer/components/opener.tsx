import { useMergedRef } from '@mantine/hooks';
import { type ButtonHTMLAttributes, cloneElement, type ReactElement, type Ref, useId, useRef } from 'react';
import { At } from './At.tsx';

export type OpenerAttributes = ButtonHTMLAttributes<HTMLButtonElement> & {
  ref?: Ref<HTMLButtonElement>;
  'data-expanded'?: true | undefined;
};

/**
 * A button that opens what is not made before.
 *
 * @returns the button, the target of what opens at it, and the identifier that this has to have
 */
export function useOpener(
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
