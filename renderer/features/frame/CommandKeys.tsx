import { i18n } from '@lingui/core';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Command, keyLabel } from '../../components/commands.ts';
import { useConsole } from '../../console-context.ts';
import classes from './ConsoleFrame.module.css';

/** Mantine's portal for dialogs and menus, created in `main.tsx`. */
const portal = () => document.querySelector('[data-mantine-shared-portal-node]');

/** Returns the topmost open dialog or menu. */
export const topOverlay = (): HTMLElement | undefined =>
  [...(portal()?.querySelectorAll<HTMLElement>('[role="dialog"], [role="menu"]') ?? [])].at(-1);

const focusTargets = [
  '[data-autofocus]',
  '[role^="menuitem"]:not(:disabled)',
  ':is(input, select, textarea, button):not(:disabled, [type="hidden"]), a[href]',
];

/** Focuses the first control of a dialog or menu, unless the focus is inside already. */
export function focusOverlay(overlay: HTMLElement) {
  const focused = document.activeElement;
  if (focused !== overlay && overlay.contains(focused)) return;
  const target = focusTargets
    .map((selector) => overlay.querySelector<HTMLElement>(selector))
    .find((element) => element !== null);
  (target ?? overlay).focus({ preventScroll: true });
}

/**
 * Runs commands by their keys, except while typing or operating a control. Returns the queued keys, which run once the
 * report that is being opened has loaded.
 */
function useCommandKeys(): readonly string[] {
  const { commands } = useConsole();
  const [queuedKeys, setQueuedKeys] = useState<readonly string[]>([]);
  useEffect(() => {
    const commandOf = (key: string) => commands.all().find(({ keys }) => keys?.includes(key));
    let queue: string[] = [];

    function setQueue(keys: string[]) {
      queue = keys;
      setQueuedKeys(keys);
    }
    // Called when the user leaves the list or clicks.
    const clearQueue = () => {
      if (queue.length > 0) setQueue([]);
    };

    function runQueue() {
      while (queue.length > 0) {
        const [key = '', ...remaining] = queue;
        const command = commandOf(key);
        if (actsOnReport(key, command) && commands.isPending()) return;
        // Overlays own the keyboard.
        if (topOverlay()) return clearQueue();
        setQueue(remaining);
        flushSync(() => command?.run());
      }
    }
    // After all notifications of the same change.
    const unsubscribe = commands.subscribe(() => {
      if (queue.length > 0) queueMicrotask(runQueue);
    });
    const unsubscribeLeft = commands.onListClosed(clearQueue);

    /** Queues the key if needed, and returns whether it did. */
    function enqueue({ key, repeat }: KeyboardEvent, command: Command | undefined): boolean {
      const needsReport = actsOnReport(key, command);
      if (queue.length > 0 ? !command && !needsReport : !needsReport || !commands.isPending()) return false;
      if (!repeat || command?.repeats) setQueue([...queue, key]);
      return true;
    }

    function onKeyDown(event: KeyboardEvent) {
      const isCombined = event.ctrlKey || event.metaKey || event.altKey;
      if (event.defaultPrevented || isCombined || belongsToFocus(event)) return;
      const command = commandOf(event.key);
      const cancels = event.key === 'Escape' && queue.length > 0;
      if (cancels) clearQueue();
      const isQueued = !cancels && enqueue(event, command);
      if (!cancels && !isQueued && !command) return;
      event.preventDefault();
      // A menu opened by this key would otherwise close by it.
      event.stopImmediatePropagation();
      if (!cancels && !isQueued && (!event.repeat || command?.repeats)) command?.run();
    }
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', clearQueue, true);
    window.addEventListener('popstate', clearQueue);
    return () => {
      unsubscribe();
      unsubscribeLeft();
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('pointerdown', clearQueue, true);
      window.removeEventListener('popstate', clearQueue);
    };
  }, [commands]);
  return queuedKeys;
}

/** True if the key acts on the open report, or may do so: the next report can offer other commands. */
const actsOnReport = (key: string, command: Command | undefined): boolean =>
  command ? command.actsOnOpenItem === true : /^(\S|Delete)$/.test(key);

const navigationKeys = /^(Arrow\w+|Enter| |Home|End|PageUp|PageDown)$/;

function belongsToFocus({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // Overlays own the keyboard.
  if (topOverlay()) return true;
  // A closing overlay isn't in the portal any longer.
  if (target.closest('[role="dialog"], [role="menu"]')) return true;
  if (target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]')) return true;
  if (target === document.body || target.localName === 'main') return false;
  return navigationKeys.test(key) && !target.closest('[role="listbox"]');
}

/** Shorter waits aren't mentioned. */
const noticeDelayMs = 300;

/** Runs commands by their keys, and shows which keys are queued. */
export function CommandKeys() {
  const keys = useCommandKeys();
  const isWaiting = keys.length > 0;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isWaiting) return;
    const timer = setTimeout(() => setLong(true), noticeDelayMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);

  const values = { keys: keys.map(keyName).join(' '), count: keys.length };
  return (
    <div className={classes.pendingKeys} role="status">
      {isWaiting && isLong && i18n.t('{keys} pending until the report loads. Esc cancels.', values)}
    </div>
  );
}

const keyName = (key: string) => (/^[a-z]$/.test(key) ? key.toUpperCase() : keyLabel(key));
