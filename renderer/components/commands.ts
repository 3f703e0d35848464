import { i18n } from '@lingui/core';
import type { ReactNode } from 'react';
import { Type } from 'typebox';
import { persisted } from '../persisted.ts';

/**
 * Something that a person can do now. Said once, it can be done by key, is in the command palette, and
 * stands in the list of keys.
 */
export type Command = {
  id: string;
  label: string;
  group: string;
  /** As `KeyboardEvent.key` gives them; the first is the one that is shown. */
  keys?: string[];
  icon?: ReactNode;
  /** Whether holding its key does it again and again: moving does, acting doesn't. */
  repeats?: boolean;
  /** Moving through a list belongs on the keyboard, not in the palette. */
  keyboardOnly?: boolean;
  /** It is done to what is open: while another is about to be, its key waits for that. */
  toOpen?: boolean;
  run: () => void;
};

export type CommandRegistry = ReturnType<typeof commandRegistry>;

/** @param keyWorks whether a key may do something; one that may not is offered nowhere */
export function commandRegistry(keyWorks: (key: string) => boolean) {
  const providers = new Set<{ current: readonly Command[] }>();
  const ways = new Set<() => boolean>();
  const leaving = new Set<() => void>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    all: (): Command[] =>
      [...providers]
        .flatMap(({ current }) => current)
        .map((command) => (command.keys ? { ...command, keys: command.keys.filter(keyWorks) } : command)),
    provide(commands: { current: readonly Command[] }) {
      providers.add(commands);
      return () => void providers.delete(commands);
    },
    /** @param isOnTheWay whether what is open is about to be another, which the person went to */
    provideWay(isOnTheWay: () => boolean) {
      ways.add(isOnTheWay);
      return () => {
        ways.delete(isOnTheWay);
        for (const leave of leaving) leave();
      };
    },
    /** Called when a list is left: what was on the way in it isn't any more. */
    onLeft(leave: () => void) {
      leaving.add(leave);
      return () => void leaving.delete(leave);
    },
    isOnTheWay: () => [...ways].some((isOnTheWay) => isOnTheWay()),
    /** Called when what is provided may be something else. */
    tell,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

// How a key is written on screen.

export function keyLabel(key: string): string {
  const labels: Record<string, string> = {
    ArrowDown: '↓',
    ArrowUp: '↑',
    Control: i18n.t('Ctrl'),
    Escape: i18n.t('Esc'),
    Delete: i18n.t('Del'),
    Backspace: '⌫',
    ' ': i18n.t('Space bar'),
  };
  return labels[key] ?? key;
}

/**
 * Whether letters, digits and signs do something by themselves. Whoever speaks to their machine, or hits keys
 * by accident, switches it off (WCAG 2.1.4).
 */
export const characterKeys = () => persisted('gatehouse.character-keys', Type.Boolean(), true);

/** @param key as `KeyboardEvent.key` gives it: what is no character has a name of several letters */
export const keyWorks = (key: string) => key.length > 1 || characterKeys().read();
