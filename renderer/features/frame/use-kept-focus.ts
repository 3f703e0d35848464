import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** A menu or a dialog that closes gives the focus back by itself, a moment later; in milliseconds. */
const othersTurn = 50;

/**
 * The focus goes where the action went: with the screen to another screen, and to the screen itself where
 * what had the focus is gone: after a dialog, to what opened it. Otherwise it would be nowhere, and the next key would begin at the top.
 */
export function useKeptFocus(screen: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const shown = useRef(pathname);

  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    screen.current?.focus({ preventScroll: true });
  }, [pathname, screen]);

  useEffect(() => {
    let focused: Element | undefined;
    /** What had the focus last outside of what opens over the screen. */
    let outside: HTMLElement | undefined;
    let wasOver = false;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      focused = target;
      wasOver = target.closest('[role="dialog"], [role="menu"]') !== null;
      if (!wasOver) outside = target;
    };
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected) return;
      focused = undefined;
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const home = screen.current?.querySelector<HTMLElement>('[data-focus-home]') ?? screen.current;
        const back = wasOver && outside?.isConnected ? outside : home;
        back?.focus({ preventScroll: true });
      }, othersTurn);
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, [screen]);
}
