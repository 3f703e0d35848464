import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/**
 * Holds the page where it is while leaving it would lose something: the way back, other screens and closing it.
 *
 * @param holds asked when it is to be left
 * @param onHeld what tells the person why nothing happened
 */
export function useHeldPage(holds: () => boolean, onHeld: () => void): void {
  const { history } = useRouter();
  const doesHold = useEffectEvent(holds);
  const hold = useEffectEvent(() => {
    const isHeld = holds();
    if (isHeld) onHeld();
    return isHeld;
  });
  useEffect(
    () => history.block({ blockerFn: () => hold(), enableBeforeUnload: () => doesHold() }),
    [history],
  );
}
