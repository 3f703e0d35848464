import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';
import { focusOverlay, topOverlay } from './CommandKeys.tsx';

/**
 * Keeps the focus from being lost: moves it into an opening overlay, to a new screen, and, when the focused element is
 * removed, to the screen or the element that opened the overlay.
 */
export function useFocusRecovery(screen: RefObject<HTMLElement | null>) {
  const pathname = useLocation({ select: ({ pathname }) => pathname });
  const focusedPath = useRef(pathname);

  useEffect(() => {
    // On the first screen, only if nothing has the focus, such as after signing in.
    if (focusedPath.current === pathname && document.activeElement !== document.body) return;
    focusedPath.current = pathname;
    screen.current?.focus({ preventScroll: true });
  }, [pathname, screen]);

  useEffect(() => {
    let focused: Element | undefined;
    /** Last focused element outside overlays. */
    let outside: HTMLElement | undefined;
    let wasInOverlay = false;
    let lastOverlay: HTMLElement | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      focused = target;
      const overlay = target.closest<HTMLElement>('[role="dialog"], [role="menu"]');
      wasInOverlay = overlay !== null;
      if (!overlay) outside = target;
      else if (overlay !== target) setInitialFocus(overlay, target);
    };
    const onBlur = ({ target, relatedTarget }: FocusEvent) => {
      // The user left the element on purpose, such as a field by Escape: the focus must not return to it.
      if (target === outside && relatedTarget === null) outside = undefined;
    };
    // Runs before the next key event.
    const observer = new MutationObserver(() => {
      const top = topOverlay();
      const isLost = focused !== undefined && !focused.isConnected;
      if (top && (top !== lastOverlay || isLost || document.activeElement === top)) focusOverlay(top);
      lastOverlay = top;
      if (!focused || focused.isConnected) return;
      focused = undefined;
      if (document.activeElement !== document.body) return;
      const fallback = screen.current?.querySelector<HTMLElement>('[data-focus-home]') ?? screen.current;
      const target = wasInOverlay && outside?.isConnected ? outside : fallback;
      target?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', onBlur);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', onBlur);
      observer.disconnect();
    };
  }, [screen]);
}

/** Mantine's focus trap focuses `data-autofocus` after a timeout, so mark the element that has the focus by then. */
function setInitialFocus(overlay: HTMLElement, target: HTMLElement) {
  for (const start of overlay.querySelectorAll('[data-autofocus]')) start.removeAttribute('data-autofocus');
  target.dataset.autofocus = '';
}
