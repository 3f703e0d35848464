import { assignRef } from '@mantine/hooks';
import { type Ref, useLayoutEffect } from 'react';

type Props = { element: () => HTMLElement | null; ref?: Ref<HTMLElement> };

/** The target of a popover that is made when it opens: what it opens at stands on screen already. */
export function At({ element, ref }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it stays where it opened
  useLayoutEffect(() => {
    assignRef(ref, element());
  }, []);
  return null;
}
