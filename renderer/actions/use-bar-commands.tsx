import { i18n } from '@lingui/core';
import type { Command } from '../components/commands.ts';
import { useCommands } from '../console-context.ts';
import { groupName, say } from './action-words.ts';
import type { Choice } from './choices.ts';

/** Opens the menu of them all. */
export const menuKey = 'm';

/**
 * The keys of a bar's actions, and their places in the palette.
 *
 * @param isKnown whether there are these: what there may be is in no palette
 * @param unsure those of which it could not be found out whether they are there: `sayUnsure` says so
 */
export function useBarCommands(
  choices: readonly Choice[],
  hasEvent: boolean,
  isKnown: boolean,
  ask: (choice: Choice) => void,
  openMenu: () => void,
  unsure: readonly Choice[],
  sayUnsure: (label: string) => void,
) {
  const keys = new Set<string>();
  const acting = [...choices, ...unsure].map((choice, place): Command => {
    const { id, group, icon: Icon, key } = choice.action;
    const isFirst = key !== undefined && !keys.has(key);
    if (isFirst) keys.add(key);
    const label = say(choice.action, 'label', choice.items);
    const isSure = place < choices.length;
    return {
      id: `act ${id}`,
      label,
      group: groupName(group, hasEvent),
      icon: <Icon size={17} stroke={1.6} />,
      ...(isFirst && { keys: [key] }),
      keyboardOnly: isSure && !isKnown,
      toOpen: true,
      run: () => (isSure ? ask(choice) : sayUnsure(label)),
    };
  });
  const more: Command = {
    id: 'act more',
    label: i18n.t('All actions'),
    group: i18n.t('Actions'),
    keys: [menuKey],
    keyboardOnly: !isKnown,
    toOpen: true,
    run: () => (choices.length > 0 ? openMenu() : sayUnsure(i18n.t('All actions'))),
  };
  useCommands(acting.length > 0 ? [...acting, more] : []);
}
