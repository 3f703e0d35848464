import { i18n } from '@lingui/core';
import {
  IconApi,
  IconArrowsVertical,
  IconCheck,
  IconChecklist,
  IconFilePlus,
  IconListCheck,
  IconMarkdown,
  IconPencil,
  IconRefresh,
  IconRoute,
  IconRouteOff,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Way } from '../../../shared/upgrade/choices.ts';
import type { Command } from '../../components/commands.ts';
import { useCommands } from '../../console-context.ts';

type Context = {
  hasList: boolean;
  /** Undefined if there is only one path. */
  way: Way | undefined;
  /** Undefined while the plan starts at the server's version. */
  replan: (() => void) | undefined;
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
  nextWay: () => void;
  isSynapse: boolean;
  toggleDialect: () => void;
};

const icon = (Icon: typeof IconRoute): ReactNode => <Icon size={17} stroke={1.6} />;

/** Label of the shortcut for the next path. */
const nextWayLabels: Record<Way, string> = {
  every: /*i18n*/ 'Plan the fewest versions',
  fewest: /*i18n*/ 'Plan direct upgrade',
  direct: /*i18n*/ 'Plan step by step',
};

/** Registers the upgrade screen's shortcuts. */
export function useUpgradeCommands(context: Context) {
  const { hasList, way, replan, allOpen, removeConfiguration } = context;
  const listCommands: Command[] = hasList
    ? [
        {
          id: 'next step',
          label: i18n.t('Next step or note'),
          group: i18n.t('Navigation'),
          keys: ['j', 'ArrowDown'],
          keyboardOnly: true,
          repeats: true,
          run: () => context.move(1),
        },
        {
          id: 'previous step',
          label: i18n.t('Previous step or note'),
          group: i18n.t('Navigation'),
          keys: ['k', 'ArrowUp'],
          keyboardOnly: true,
          repeats: true,
          run: () => context.move(-1),
        },
        {
          id: 'next open',
          label: i18n.t('Next open item'),
          group: i18n.t('Navigation'),
          keys: ['n'],
          icon: icon(IconListCheck),
          run: context.nextOpen,
        },
        {
          id: 'fold',
          label: allOpen ? i18n.t('Collapse all sections') : i18n.t('Expand all sections'),
          group: i18n.t('Navigation'),
          keys: ['e'],
          icon: icon(IconArrowsVertical),
          run: context.toggleAll,
        },
        {
          id: 'tick',
          label: i18n.t('Toggle done'),
          group: i18n.t('Plan'),
          keys: ['x', ' '],
          icon: icon(IconCheck),
          run: context.tick,
        },
        {
          id: 'copy markdown',
          label: i18n.t('Copy plan as Markdown'),
          group: i18n.t('Plan'),
          keys: ['m'],
          icon: icon(IconMarkdown),
          run: context.copyMarkdown,
        },
      ]
    : [];

  useCommands([
    ...listCommands,
    {
      id: 'check now',
      label: i18n.t('Check server now'),
      group: i18n.t('Plan'),
      keys: ['r'],
      icon: icon(IconRefresh),
      run: context.checkNow,
    },
    {
      id: 'add configuration',
      label: i18n.t('Add configuration files'),
      group: i18n.t('Plan'),
      keys: ['a'],
      icon: icon(IconFilePlus),
      run: context.addConfiguration,
    },
    ...(removeConfiguration
      ? [
          {
            id: 'remove configuration',
            label: i18n.t('Remove configuration files'),
            group: i18n.t('Plan'),
            icon: icon(IconFilePlus),
            run: removeConfiguration,
          },
        ]
      : []),
    {
      id: 'from',
      label: i18n.t('Change starting version'),
      group: i18n.t('Plan'),
      keys: ['f'],
      icon: icon(IconPencil),
      run: context.focusFrom,
    },
    {
      id: 'to',
      label: i18n.t('Change target version'),
      group: i18n.t('Plan'),
      keys: ['t'],
      icon: icon(IconPencil),
      run: context.focusTo,
    },
    ...(way
      ? [
          {
            id: 'way',
            label: i18n.t(nextWayLabels[way]),
            group: i18n.t('Plan'),
            keys: ['d'],
            icon: icon(way === 'fewest' ? IconRouteOff : IconRoute),
            run: context.nextWay,
          },
        ]
      : []),
    {
      id: 'dialect',
      label: context.isSynapse ? i18n.t('Use generic API paths') : i18n.t("Use Synapse's API paths"),
      group: i18n.t('Plan'),
      icon: icon(IconApi),
      run: context.toggleDialect,
    },
    ...(replan
      ? [
          {
            id: 'start anew',
            label: i18n.t('Replan from server version'),
            group: i18n.t('Plan'),
            icon: icon(IconChecklist),
            run: replan,
          },
        ]
      : []),
  ]);
}
