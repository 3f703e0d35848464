import { i18n } from '@lingui/core';
import type { ReactNode } from 'react';
import { Type } from 'typebox';
import type { DeviceStorage } from '../persisted.ts';
import { subscribers } from '../subscribers.ts';

/** An action available on screen, by its keys, in the command palette and in the list of shortcuts. */
export type Command = {
  id: string;
  label: string;
  group: string;
  /** As in `KeyboardEvent.key`; the first is displayed. */
  keys?: string[];
  icon?: ReactNode;
  /** Whether holding the key repeats it. */
  repeats?: boolean;
  /** Left out of the palette. */
  keyboardOnly?: boolean;
  /** Acts on the open item; held back while another one is loading. */
  actsOnOpenItem?: boolean;
  run: () => void;
};

export type CommandRegistry = ReturnType<typeof commandRegistry>;

export function commandRegistry(deviceStorage: DeviceStorage) {
  /** Whether single-key shortcuts are on. Speech input and accidental key presses need them off (WCAG 2.1.4). */
  const characterKeys = deviceStorage.open('gatehouse.character-keys', Type.Boolean(), true);
  /** @param key as in `KeyboardEvent.key`, in which only printable keys have one character */
  const keyWorks = (key: string) => key.length > 1 || characterKeys.read();
  const providers = new Set<{ current: readonly Command[] }>();
  const pendingChecks = new Set<() => boolean>();
  const closeListeners = new Set<() => void>();
  const { subscribe, notify } = subscribers();
  return {
    characterKeys,
    keyWorks,
    all: (): Command[] =>
      [...providers]
        .flatMap(({ current }) => current)
        .map((command) => (command.keys ? { ...command, keys: command.keys.filter(keyWorks) } : command)),
    provide(commands: { current: readonly Command[] }) {
      providers.add(commands);
      return () => void providers.delete(commands);
    },
    /** @param isPending whether navigation to another item is pending */
    registerPending(isPending: () => boolean) {
      pendingChecks.add(isPending);
      return () => {
        pendingChecks.delete(isPending);
        for (const onClose of closeListeners) onClose();
      };
    },
    /** Called when a list unmounts: its pending navigation is void. */
    onListClosed(onClose: () => void) {
      closeListeners.add(onClose);
      return () => void closeListeners.delete(onClose);
    },
    isPending: () => [...pendingChecks].some((isPending) => isPending()),
    /** Notifies subscribers that the provided commands may have changed. */
    notify,
    subscribe,
  };
}

/** Returns a key's name on screen. */
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
