import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Command } from '../../components/commands.ts';
import { useConsole } from '../../console-context.ts';
import { isPaletteAwaited } from './load-palette.ts';
import { opened } from './over-the-screen.ts';

/** Keys that wait, in their order, and for what; empty where none does. */
export type WaitingKeys = { keys: readonly string[]; areForReport: boolean };

const none: WaitingKeys = { keys: [], areForReport: false };

/**
 * Runs a command when its key is pressed where a key press isn't typing or steering something else; gives those that
 * wait for what they are for.
 */
export function useCommandKeys(): WaitingKeys {
  const { commands } = useConsole();
  const [waiting, setWaiting] = useState(none);
  useEffect(() => {
    const commandOf = (key: string) => commands.all().find(({ keys }) => keys?.includes(key));
    /** Pressed while what they are for was on its way, in their order; those after them wait with them. */
    let kept: string[] = [];
    /** Where the first of them waits for the script of what it is for, and for no report any more. */
    let waitsAt: string | undefined;

    function keep(keys: string[], at = waitsAt) {
      kept = keys;
      waitsAt = keys.length > 0 ? at : undefined;
      setWaiting(keys.length > 0 ? { keys, areForReport: waitsAt === undefined } : none);
    }
    // Who leaves, or points at something, has gone on to that.
    const forget = () => {
      if (kept.length > 0) keep([]);
    };

    function runKept() {
      while (kept.length > 0) {
        const [key = '', ...others] = kept;
        const command = commandOf(key);
        if (isToOpen(key, command) && commands.isOnTheWay()) return;
        // By a way that no key took, one is elsewhere, or has opened something and typed the rest for that.
        if (opened() || (waitsAt ?? location.href) !== location.href) return forget();
        if (isForScript(key, command)) {
          if (waitsAt === undefined) keep(kept, location.href);
          return;
        }
        keep(others, undefined);
        flushSync(() => command?.run());
      }
    }
    const isForScript = (key: string, command: Command | undefined) =>
      !command && isToOpen(key, command) && commands.isScriptOnTheWay();
    // After all that is told at once has been told.
    const unsubscribe = commands.subscribe(() => {
      if (kept.length > 0) queueMicrotask(runKept);
    });
    const unlisten = commands.onLeft(forget);

    /** Gives whether it waits. */
    function keepIfToWait({ key, repeat }: KeyboardEvent, command: Command | undefined): boolean {
      const toOpen = isToOpen(key, command);
      const waitForReport = kept.length > 0 && waitsAt === undefined;
      if (waitForReport ? command || toOpen : toOpen && commands.isOnTheWay()) {
        if (!repeat || command?.repeats) keep([...kept, key]);
        return true;
      }
      if (!isForScript(key, command)) return false;
      // The script can take long: what is pressed last is what is wanted.
      if (!repeat) keep([key], location.href);
      return true;
    }

    function onKeyDown(event: KeyboardEvent) {
      const isCombined = event.ctrlKey || event.metaKey || event.altKey;
      // It may open the palette, or lead elsewhere.
      if (isCombined && waitsAt !== undefined && !modifiers.test(event.key)) forget();
      if (event.defaultPrevented || isCombined || belongsToFocus(event)) return;
      const command = commandOf(event.key);
      const drops = event.key === 'Escape' && kept.length > 0;
      if (drops || keepIfToWait(event, command)) {
        if (drops) forget();
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      if (!command) return;
      // What has a key now goes before what waits for a script, and may lead away from what that was for.
      forget();
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
  return waiting;
}

/** Whether it is for what is open, or may be: what comes can have keys that what is left hasn't. */
const isToOpen = (key: string, command: Command | undefined): boolean =>
  command ? command.toOpen === true : /^(\S|Delete)$/.test(key);

const modifiers = /^(Control|Meta|Alt|Shift)$/;

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
