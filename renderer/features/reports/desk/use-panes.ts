import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Returns a list's pane and its open item's, of which a narrow window shows one, and moves the focus between them. */
export function usePanes<Id extends string | number>(openId: Id | undefined) {
  /** The open item over which a narrow window shows the list, as after `Back to list`. */
  const [leftId, setLeftId] = useState<Id>();
  const listElement = useRef<HTMLElement>(null);
  const detailElement = useRef<HTMLElement>(null);
  const filterElement = useRef<HTMLInputElement>(null);
  const focusList = useCallback(() => {
    // An empty list has no element to focus, and a narrow window hides the list behind the report.
    const targets = [listElement.current, detailElement.current, document.querySelector('main')];
    targets
      .find((target) => target?.checkVisibility({ visibilityProperty: true }))
      ?.focus({ preventScroll: true });
  }, []);
  const pane: 'list' | 'report' = openId === undefined || leftId === openId ? 'list' : 'report';
  return {
    /** The pane in a window too narrow for both. */
    pane,
    listElement,
    listRef: useCallback((element: HTMLElement | null) => {
      listElement.current = element;
    }, []),
    detailElement,
    filterElement,
    showDetail: useCallback(() => setLeftId(undefined), []),
    focusList,
    /** Shows the list in a window too narrow for both. The item stays open. */
    showList() {
      flushSync(() => setLeftId(openId));
      focusList();
    },
    focusFilter() {
      flushSync(() => setLeftId(openId));
      filterElement.current?.focus();
    },
    focusDetail() {
      flushSync(() => setLeftId(undefined));
      detailElement.current?.focus();
    },
    /** Focuses the note field of the open report, if it is loaded. */
    focusNote() {
      flushSync(() => setLeftId(undefined));
      detailElement.current?.querySelector<HTMLElement>('[data-note-field]')?.focus();
    },
  };
}
