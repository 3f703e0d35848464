import { i18n } from '@lingui/core';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Command, keyLabel } from '../../components/commands.ts';
import { useConsole } from '../../console-context.ts';
import classes from './CommandKeys.module.css';

/** Where Mantine puts what opens over the screen; `main.tsx` makes it. */
const portal = () => document.querySelector('[data-mantine-shared-portal-node]');

/** The dialog or the menu that was opened last, and is open. */
export const opened = (): HTMLElement | undefined =>
  [...(portal()?.querySelectorAll<HTMLElement>('[role="dialog"], [role="menu"]') ?? [])].at(-1);

const starts = [
  '[data-autofocus]',
  '[role^="menuitem"]:not(:disabled)',
  ':is(input, select, textarea, button):not(:disabled, [type="hidden"]), a[href]',
];

/** Puts the focus where one begins in a dialog or a menu, unless it is in there already. */
export function takeFocus(over: HTMLElement) {
  const focused = document.activeElement;
  if (focused !== over && over.contains(focused)) return;
  const start = starts.map((each) => over.querySelector<HTMLElement>(each)).find((found) => found !== null);
  (start ?? over).focus({ preventScroll: true });
}

/**
 * Runs a command when its key is pressed where a key press isn't typing or steering something else. Returns the keys
 * that wait for the report that is about to open, in their order.
 */
function useCommandKeys(): readonly string[] {
  const { commands } = useConsole();
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  useEffect(() => {
    const commandOf = (key: string) => commands.all().find(({ keys }) => keys?.includes(key));
    let kept: string[] = [];

    function keep(keys: string[]) {
      kept = keys;
      setWaiting(keys);
    }
    // Leaving the list or pointing at something cancels them.
    const forget = () => {
      if (kept.length > 0) keep([]);
    };

    function runKept() {
      while (kept.length > 0) {
        const [key = '', ...others] = kept;
        const command = commandOf(key);
        if (isToOpen(key, command) && commands.isPending()) return;
        // The rest was typed for what has opened over the screen.
        if (opened()) return forget();
        keep(others);
        flushSync(() => command?.run());
      }
    }
    // After all that is told at once has been told.
    const unsubscribe = commands.subscribe(() => {
      if (kept.length > 0) queueMicrotask(runKept);
    });
    const unlisten = commands.onListClosed(forget);

    /** Returns whether it waits. */
    function keepIfToWait({ key, repeat }: KeyboardEvent, command: Command | undefined): boolean {
      const toOpen = isToOpen(key, command);
      if (kept.length > 0 ? !command && !toOpen : !toOpen || !commands.isPending()) return false;
      if (!repeat || command?.repeats) keep([...kept, key]);
      return true;
    }

    function onKeyDown(event: KeyboardEvent) {
      const isCombined = event.ctrlKey || event.metaKey || event.altKey;
      if (event.defaultPrevented || isCombined || belongsToFocus(event)) return;
      const command = commandOf(event.key);
      const drops = event.key === 'Escape' && kept.length > 0;
      if (drops) forget();
      const waits = !drops && keepIfToWait(event, command);
      if (!drops && !waits && !command) return;
      event.preventDefault();
      // What it opens would take it for a key outside of it, and close.
      event.stopImmediatePropagation();
      if (!drops && !waits && (!event.repeat || command?.repeats)) command?.run();
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
  return waiting;
}

/** Whether it is for what is open, or may be: what comes can have keys that what is left hasn't. */
const isToOpen = (key: string, command: Command | undefined): boolean =>
  command ? command.actsOnOpenItem === true : /^(\S|Delete)$/.test(key);

const steeringKeys = /^(Arrow\w+|Enter| |Home|End|PageUp|PageDown)$/;

function belongsToFocus({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // Whoever opened something over the screen types for that, and not for what lies behind it.
  if (opened()) return true;
  // It may be closed by this key.
  if (target.closest('[role="dialog"], [role="menu"]')) return true;
  if (target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]')) return true;
  if (target === document.body || target.localName === 'main') return false;
  return steeringKeys.test(key) && !target.closest('[role="listbox"]');
}

/** What comes sooner needs no words, in milliseconds. */
const patience = 300;

/** Runs commands by their keys, and says which of these wait. */
export function CommandKeys() {
  const keys = useCommandKeys();
  const wait = keys.length > 0;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!wait) return;
    const timer = setTimeout(() => setLong(true), patience);
    return () => clearTimeout(timer);
  }, [wait]);

  const shown = { keys: keys.map(nameOf).join(' '), count: keys.length };
  return (
    <div className={classes.line} role="status">
      {wait && isLong && i18n.t('{keys} pending until the report loads. Esc cancels.', shown)}
    </div>
  );
}

/** As it stands on a keyboard. */
const nameOf = (key: string) => (/^[a-z]$/.test(key) ? key.toUpperCase() : keyLabel(key));
