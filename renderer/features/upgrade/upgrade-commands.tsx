import {
  IconArrowsVertical,
  IconChecklist,
  IconFilePlus,
  IconListCheck,
  IconMarkdown,
  IconPencil,
  IconRefresh,
  IconRoute,
  IconRouteOff,
  IconSquareCheck,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Command } from '../../components/commands.ts';
import { useCommands } from '../../console-context.ts';

type Context = {
  hasList: boolean;
  /** Undefined where there is but one way. */
  way: 'stops' | 'direct' | undefined;
  /** Undefined while the plan begins with the server's own version. */
  startAnew: (() => void) | undefined;
  allOpen: boolean;
  checkNow: () => void;
  copyMarkdown: () => void;
  addConfiguration: () => void;
  removeConfiguration: (() => void) | undefined;
  focusFrom: () => void;
  focusTo: () => void;
  move: (by: 1 | -1) => void;
  tick: () => void;
  nextOpen: () => void;
  toggleAll: () => void;
  toggleWay: () => void;
};

const icon = (Icon: typeof IconRoute): ReactNode => <Icon size={17} stroke={1.6} />;

/** The keys of the upgrade screen and its part of the command palette. */
export function useUpgradeCommands(context: Context) {
  const { hasList, way, startAnew, allOpen, removeConfiguration } = context;
  const onList: Command[] = hasList
    ? [
        {
          id: 'next step',
          label: 'Next step or note',
          group: 'Moving',
          keys: ['j', 'ArrowDown'],
          keyboardOnly: true,
          repeats: true,
          run: () => context.move(1),
        },
        {
          id: 'previous step',
          label: 'Previous step or note',
          group: 'Moving',
          keys: ['k', 'ArrowUp'],
          keyboardOnly: true,
          repeats: true,
          run: () => context.move(-1),
        },
        {
          id: 'next open',
          label: 'Go to what comes next',
          group: 'Moving',
          keys: ['n'],
          icon: icon(IconListCheck),
          run: context.nextOpen,
        },
        {
          id: 'fold',
          label: allOpen ? 'Fold every section in' : 'Fold every section out',
          group: 'Moving',
          keys: ['e'],
          icon: icon(IconArrowsVertical),
          run: context.toggleAll,
        },
        {
          id: 'tick',
          label: 'Tick or untick',
          group: 'Plan',
          keys: ['x', ' '],
          icon: icon(IconSquareCheck),
          run: context.tick,
        },
        {
          id: 'copy markdown',
          label: 'Copy the plan as Markdown',
          group: 'Plan',
          keys: ['m'],
          icon: icon(IconMarkdown),
          run: context.copyMarkdown,
        },
      ]
    : [];

  useCommands([
    ...onList,
    {
      id: 'check now',
      label: 'Check the server now',
      group: 'Plan',
      keys: ['r'],
      icon: icon(IconRefresh),
      run: context.checkNow,
    },
    {
      id: 'add configuration',
      label: 'Add configuration files',
      group: 'Plan',
      keys: ['a'],
      icon: icon(IconFilePlus),
      run: context.addConfiguration,
    },
    ...(removeConfiguration
      ? [
          {
            id: 'remove configuration',
            label: 'Forget the configuration files',
            group: 'Plan',
            icon: icon(IconFilePlus),
            run: removeConfiguration,
          },
        ]
      : []),
    {
      id: 'from',
      label: 'Change the version to plan from',
      group: 'Plan',
      keys: ['f'],
      icon: icon(IconPencil),
      run: context.focusFrom,
    },
    {
      id: 'to',
      label: 'Change the version to go to',
      group: 'Plan',
      keys: ['t'],
      icon: icon(IconPencil),
      run: context.focusTo,
    },
    ...(way
      ? [
          {
            id: 'way',
            label: way === 'stops' ? 'Plan to go directly' : 'Plan to keep rollback possible',
            group: 'Plan',
            keys: ['d'],
            icon: icon(way === 'stops' ? IconRouteOff : IconRoute),
            run: context.toggleWay,
          },
        ]
      : []),
    ...(startAnew
      ? [
          {
            id: 'start anew',
            label: "Plan anew from the server's version",
            group: 'Plan',
            icon: icon(IconChecklist),
            run: startAnew,
          },
        ]
      : []),
  ]);
}
