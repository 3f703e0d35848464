import { useEffect } from 'react';
import { useConsole } from '../../console-context.ts';
import { isPaletteAwaited } from './load-palette.ts';
import { opened } from './over-the-screen.ts';

/** Runs a command when its key is pressed where a key press isn't typing or steering something else. */
export function useCommandKeys() {
  const { commands } = useConsole();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (belongsToFocus(event)) return;
      const command = commands.all().find(({ keys }) => keys?.includes(event.key));
      if (!command) return;
      event.preventDefault();
      // What it opens would take it for a key outside of it, and close.
      event.stopImmediatePropagation();
      if (!event.repeat || command.repeats) command.run();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [commands]);
}

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
