import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';
import { opened, takeFocus } from './CommandKeys.tsx';

/**
 * The focus goes where the action went: into what opens over the screen, with the screen to another screen, and to
 * the screen itself where what had the focus is gone: after a dialog, to what opened it. Otherwise it would be
 * nowhere, and the next key would begin at the top.
 */
export function useKeptFocus(screen: RefObject<HTMLElement | null>) {
  const pathname = useLocation({ select: ({ pathname }) => pathname });
  const shown = useRef(pathname);

  useEffect(() => {
    // The first screen takes it where nothing has it yet: after signing in it would be nowhere.
    if (shown.current === pathname && document.activeElement !== document.body) return;
    shown.current = pathname;
    screen.current?.focus({ preventScroll: true });
  }, [pathname, screen]);

  useEffect(() => {
    let focused: Element | undefined;
    /** What had the focus last outside of what opens over the screen. */
    let outside: HTMLElement | undefined;
    let wasOver = false;
    let entered: HTMLElement | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      focused = target;
      const over = target.closest<HTMLElement>('[role="dialog"], [role="menu"]');
      wasOver = over !== null;
      if (!over) outside = target;
      else if (over !== target) startsAt(over, target);
    };
    // It is told of what changed before the next key arrives.
    const observer = new MutationObserver(() => {
      const top = opened();
      const isLost = focused !== undefined && !focused.isConnected;
      if (top && (top !== entered || isLost || document.activeElement === top)) takeFocus(top);
      entered = top;
      if (!focused || focused.isConnected) return;
      focused = undefined;
      if (document.activeElement !== document.body) return;
      const home = screen.current?.querySelector<HTMLElement>('[data-focus-home]') ?? screen.current;
      const back = wasOver && outside?.isConnected ? outside : home;
      back?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, [screen]);
}

/** Mantine's focus traps look for where to start by a timer, and must find what has the focus by then. */
function startsAt(over: HTMLElement, target: HTMLElement) {
  for (const start of over.querySelectorAll('[data-autofocus]')) start.removeAttribute('data-autofocus');
  target.dataset.autofocus = '';
}
