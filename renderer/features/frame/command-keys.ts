import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import type { Command } from '../../components/commands.ts';
import { useConsole } from '../../console-context.ts';
import { isPaletteAwaited } from './load-palette.ts';
import { opened } from './over-the-screen.ts';

/** Runs a command when its key is pressed where a key press isn't typing or steering something else. */
export function useCommandKeys() {
  const { commands } = useConsole();
  useEffect(() => {
    const commandOf = (key: string) => commands.all().find(({ keys }) => keys?.includes(key));
    /** Pressed while what they are for was on its way, in their order; those after them wait with them. */
    let kept: string[] = [];

    function runKept() {
      while (kept.length > 0) {
        const command = commandOf(kept[0] ?? '');
        if (isToOpen(kept[0] ?? '', command) && commands.isOnTheWay()) return;
        kept.shift();
        flushSync(() => command?.run());
        // Whoever opened something has typed the rest for that.
        if (opened()) kept = [];
      }
    }
    // After all that is told at once has been told.
    const unsubscribe = commands.subscribe(() => {
      if (kept.length > 0) queueMicrotask(runKept);
    });
    // Who leaves, or points at something, has gone on to that.
    const forget = () => {
      kept = [];
    };
    const unlisten = commands.onLeft(forget);

    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (belongsToFocus(event)) return;
      const command = commandOf(event.key);
      const toOpen = isToOpen(event.key, command);
      const waits = kept.length > 0 ? command || toOpen : toOpen && commands.isOnTheWay();
      if (event.key === 'Escape') forget();
      else if (waits) {
        event.preventDefault();
        event.stopImmediatePropagation();
        if (!event.repeat || command?.repeats) kept.push(event.key);
        return;
      }
      if (!command) return;
      event.preventDefault();
      // What it opens would take it for a key outside of it, and close.
      event.stopImmediatePropagation();
      if (!event.repeat || command.repeats) command.run();
    }
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', forget, true);
    window.addEventListener('popstate', forget);
    return () => {
      unsubscribe();
      unlisten();
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('pointerdown', forget, true);
      window.removeEventListener('popstate', forget);
    };
  }, [commands]);
}

/** Whether it is for what is open, or may be: what comes can have keys that what is left hasn't. */
const isToOpen = (key: string, command: Command | undefined): boolean =>
  command ? command.toOpen === true : /^(\S|Delete)$/.test(key);

const steeringKeys = /^(Arrow\w+|Enter| |Home|End|PageUp|PageDown)$/;

function belongsToFocus({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // Whoever opened something over the screen types for that, and not for what lies behind it.
  if (opened() || isPaletteAwaited()) return true;
  // It may be closed by this key.
  if (target.closest('[role="dialog"], [role="menu"]')) return true;
  if (target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]')) return true;
  if (target === document.body || target.localName === 'main') return false;
  return steeringKeys.test(key) && !target.closest('[role="listbox"]');
}
