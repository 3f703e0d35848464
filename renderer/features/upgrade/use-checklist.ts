import { type RefObject, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PlanSection } from './plan-sections.ts';

/** Longer plans open with only the next section, at the top: completed sections before it are hidden. */
const maxOpenItems = 60;

/** Manages the open sections and keyboard navigation. */
export function useChecklist(
  list: RefObject<HTMLElement | null>,
  sections: readonly PlanSection[],
  done: ReadonlySet<string>,
  planId: string,
) {
  // Computed when the plan opens: ticking must not collapse a section.
  const [state, setState] = useState(() => ({ planId, ...initially(sections, done) }));
  const current = state.planId === planId ? state : { planId, ...initially(sections, done) };
  if (current !== state) setState(current);

  const actions = useMemo(() => {
    const setOpen = (ids: readonly string[], isOpen: boolean) =>
      setState((before) => {
        const open = new Set(before.open);
        for (const id of ids) isOpen ? open.add(id) : open.delete(id);
        return { ...before, open };
      });

    const showCompleted = () => setState((before) => ({ ...before, completed: 0 }));

    const find = <Kind extends HTMLElement>(selector: string) => [
      ...(list.current?.querySelectorAll<Kind>(selector) ?? []),
    ];

    function focus(element: HTMLElement | undefined) {
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: 'nearest' });
    }

    /** Opens a section and focuses its first or last item. */
    function enter(sectionId: string, end: 'first' | 'last') {
      flushSync(() => setOpen([sectionId], true));
      const section = find(`[data-section="${CSS.escape(sectionId)}"]`)[0];
      const boxes = [...(section?.querySelectorAll<HTMLElement>('input[data-item]:not(:disabled)') ?? [])];
      const heading = section?.querySelector<HTMLElement>('[data-heading]') ?? undefined;
      focus((end === 'first' ? boxes[0] : boxes.at(-1)) ?? heading);
    }

    function show(sectionId: string) {
      flushSync(() => setOpen([sectionId], true));
      if (find(`[data-section="${CSS.escape(sectionId)}"]`).length === 0) flushSync(showCompleted);
      const heading = find<HTMLElement>(`[data-heading="${CSS.escape(sectionId)}"]`)[0];
      heading?.focus({ preventScroll: true });
      heading?.closest('section')?.scrollIntoView({ block: 'start' });
    }

    function move(by: 1 | -1) {
      const targets = find<HTMLElement>(
        'input[data-item]:not(:disabled), [data-heading][aria-expanded="false"]',
      );
      const active = document.activeElement;
      const follows = (element: Element) =>
        active && list.current?.contains(active)
          ? Boolean(active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
          : true;
      const target =
        by === 1
          ? targets.find((element) => element !== active && follows(element))
          : targets.findLast((element) => element !== active && !follows(element));
      const sectionId = target?.dataset.heading;
      if (sectionId === undefined) focus(target);
      else enter(sectionId, by === 1 ? 'first' : 'last');
    }

    return {
      setOpen,
      showCompleted,
      show,
      move,
      focusItem(sectionId: string, itemId: string) {
        flushSync(() => setOpen([sectionId], true));
        focus(find(`[data-section="${CSS.escape(sectionId)}"] [data-item="${CSS.escape(itemId)}"]`)[0]);
      },
      /** Focuses a note in the configuration section. */
      focusFinding: (note: string) => focus(find(`[data-item="${CSS.escape(note)}"]`)[0]),
      /** Toggles the focused item; returns false if none is focused. */
      tickFocused(): boolean {
        const active = document.activeElement;
        if (!(active instanceof HTMLInputElement) || active.dataset.item === undefined) return false;
        active.click();
        return true;
      },
    };
  }, [list]);

  const { move } = actions;
  useEffect(() => {
    // Arrow keys move through the list while the focus is in it.
    function onKeyDown(event: KeyboardEvent) {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (ctrlKey || metaKey || altKey || shiftKey || (key !== 'ArrowDown' && key !== 'ArrowUp')) return;
      if (!(target instanceof HTMLElement) || !list.current?.contains(target)) return;
      if (!target.matches('[data-item], [data-heading]')) return;
      event.preventDefault();
      move(key === 'ArrowDown' ? 1 : -1);
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [list, move]);

  return { open: current.open, completed: current.completed, ...actions };
}

/** The sections that are open at first, and the number of hidden ones at the beginning. */
export function initially(
  sections: readonly PlanSection[],
  done: ReadonlySet<string>,
): { open: ReadonlySet<string>; completed: number } {
  const total = sections.reduce((sum, { items }) => sum + items.length, 0);
  if (total <= maxOpenItems) return { open: new Set(sections.map(({ id }) => id)), completed: 0 };
  const next = nextSection(sections, done);
  const isOpen = ({ items }: PlanSection) => items.some(({ id }) => !done.has(id));
  const firstOpen = sections.findIndex((section) => section === next || isOpen(section));
  return { open: new Set(next ? [next.id] : []), completed: Math.max(0, firstOpen) };
}

/** Returns the first section with open steps, or else with open items. */
export const nextSection = (sections: readonly PlanSection[], done: ReadonlySet<string>) =>
  sections.find(({ steps }) => steps.some(({ id }) => !done.has(id))) ??
  sections.find(({ items }) => items.some(({ id }) => !done.has(id)));
