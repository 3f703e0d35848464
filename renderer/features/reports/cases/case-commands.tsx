import { i18n } from '@lingui/core';
import {
  IconArchive,
  IconArrowBackUp,
  IconClockPause,
  IconEyeCheck,
  IconFilter,
  IconFilterOff,
  IconFlag,
  IconMessageReply,
  IconRefresh,
  IconSortDescending,
  IconUrgent,
  IconUser,
  IconUserCheck,
} from '@tabler/icons-react';
import { type Verdict, verdicts } from '../../../../shared/team/entries.ts';
import type { Command } from '../../../components/commands.ts';
import { noteCommand } from '../desk/commands.tsx';
import { resolveAs, verdictKeys } from '../desk/MarkButtons.tsx';
import type { CaseMenu } from './CaseStrip.tsx';

type Context = {
  /** In the order of their tabs. */
  queues: readonly { id: string; name: string; isShown: boolean; show: () => void }[];
  /** The list has appeals in place of cases. */
  isOnAppeals: boolean;
  isOpen: boolean;
  arrived: number;
  move: (by: number) => void;
  openNext: () => void;
  step: (by: number) => void;
  resolve: (verdict?: Verdict) => void;
  message: () => void;
  escalate: () => void;
  reopen: () => void;
  assign: () => void;
  hold: () => void;
  openMenu: (menu: CaseMenu) => void;
  openOrder: () => void;
  focusFilter: () => void;
  focusDetail: () => void;
  focusNote: () => void;
  showList: () => void;
  showNew: () => void;
  clearFilters: (() => void) | undefined;
};

const sign = { size: 17, stroke: 1.6 };

/** The keys of the cases screen and its part of the command palette. */
export function caseCommands(context: Context): Command[] {
  const { isOnAppeals } = context;
  const steps: [id: string, label: string, keys: string[], by: number][] = isOnAppeals
    ? [
        ['next', i18n.t('Next appeal'), ['j', 'ArrowDown'], 1],
        ['previous', i18n.t('Previous appeal'), ['k', 'ArrowUp'], -1],
        ['first', i18n.t('First appeal'), ['Home'], Number.NEGATIVE_INFINITY],
        ['last', i18n.t('Last appeal'), ['End'], Number.POSITIVE_INFINITY],
      ]
    : [
        ['next', i18n.t('Next case'), ['j', 'ArrowDown'], 1],
        ['previous', i18n.t('Previous case'), ['k', 'ArrowUp'], -1],
        ['page down', i18n.t('Forward 10 cases'), ['PageDown'], 10],
        ['page up', i18n.t('Back 10 cases'), ['PageUp'], -10],
        ['first', i18n.t('First case'), ['Home'], Number.NEGATIVE_INFINITY],
        ['last', i18n.t('Last case'), ['End'], Number.POSITIVE_INFINITY],
      ];
  const inCase = [
    { id: 'next report', label: i18n.t('Next report in case'), keys: [']'], run: () => context.step(1) },
    {
      id: 'previous report',
      label: i18n.t('Previous report in case'),
      keys: ['['],
      run: () => context.step(-1),
    },
  ];
  const navigation: Command[] = [
    ...steps.map(([id, label, keys, by]) => ({ id, label, keys, run: () => context.move(by) })),
    ...(isOnAppeals ? [] : inCase),
    {
      id: 'focus detail',
      label: isOnAppeals ? i18n.t('Focus appeal') : i18n.t('Focus report'),
      keys: ['Enter'],
      run: context.focusDetail,
    },
    { id: 'back', label: i18n.t('Back to list'), keys: ['Escape'], run: context.showList },
  ].map((command) => ({ ...command, group: i18n.t('Navigation'), keyboardOnly: true, repeats: true }));

  const onCase: Command[] = context.isOpen
    ? [
        {
          id: 'reviewed',
          label: i18n.t('Resolve case and open next'),
          keys: ['e'],
          icon: <IconEyeCheck {...sign} />,
          run: () => context.resolve(),
        },
        ...verdicts.map((verdict) => ({
          id: verdict,
          label: resolveAs(verdict),
          keys: [verdictKeys[verdict]],
          icon: <IconEyeCheck {...sign} />,
          run: () => context.resolve(verdict),
        })),
        {
          id: 'message reporters',
          label: i18n.t('Resolve case and message reporters'),
          keys: ['E'],
          icon: <IconMessageReply {...sign} />,
          run: context.message,
        },
        {
          id: 'escalate',
          label: i18n.t('Escalate case'),
          keys: ['!'],
          icon: <IconUrgent {...sign} />,
          run: context.escalate,
        },
        {
          id: 'take back',
          label: i18n.t('Reopen case'),
          keys: ['t'],
          icon: <IconArrowBackUp {...sign} />,
          run: context.reopen,
        },
        {
          id: 'assign to me',
          label: i18n.t('Assign case to me, or unassign it'),
          keys: ['a'],
          icon: <IconUserCheck {...sign} />,
          run: context.assign,
        },
        {
          id: 'assign',
          label: i18n.t('Assign case'),
          keys: ['A'],
          icon: <IconUser {...sign} />,
          run: () => context.openMenu('assignee'),
        },
        {
          id: 'severity',
          label: i18n.t('Set severity'),
          keys: ['v'],
          icon: <IconFlag {...sign} />,
          run: () => context.openMenu('severity'),
        },
        {
          id: 'snooze',
          label: i18n.t('Snooze case'),
          keys: ['h'],
          icon: <IconClockPause {...sign} />,
          run: () => context.openMenu('snooze'),
        },
        {
          id: 'hold evidence',
          label: i18n.t('Hold evidence'),
          keys: ['H'],
          icon: <IconArchive {...sign} />,
          run: context.hold,
        },
        noteCommand(context.focusNote),
      ].map((command) => ({ ...command, group: i18n.t('Case'), actsOnOpenItem: true }))
    : [];

  const at = context.queues.findIndex(({ isShown }) => isShown);
  const beside = (step: number) => context.queues[at + step]?.show();
  const queues: Command[] = [
    ...context.queues
      .filter(({ isShown }) => !isShown)
      .map(({ id, name, show }) => ({ id: `queue ${id}`, label: name, run: show })),
    { id: 'next queue', label: i18n.t('Next queue'), keys: ['>'], keyboardOnly: true, run: () => beside(1) },
    {
      id: 'previous queue',
      label: i18n.t('Previous queue'),
      keys: ['<'],
      keyboardOnly: true,
      run: () => beside(-1),
    },
  ].map((command) => ({ ...command, group: i18n.t('Queues') }));

  const list: Command[] = [
    ...(context.arrived > 0
      ? [
          {
            id: 'show new',
            label: i18n.t('Load {count, plural, one {# new report} other {# new reports}}', {
              count: context.arrived,
            }),
            keys: ['.'],
            icon: <IconRefresh {...sign} />,
            run: context.showNew,
          },
        ]
      : []),
    {
      id: 'order',
      label: i18n.t('Sort cases'),
      keys: ['V'],
      icon: <IconSortDescending {...sign} />,
      run: context.openOrder,
    },
    {
      id: 'next unreviewed',
      label: i18n.t('Next case'),
      keys: ['n'],
      keyboardOnly: true,
      run: context.openNext,
    },
    {
      id: 'filter',
      label: i18n.t('Search cases'),
      keys: ['/'],
      icon: <IconFilter {...sign} />,
      run: context.focusFilter,
    },
    ...(context.clearFilters
      ? [
          {
            id: 'clear filters',
            label: i18n.t('Clear filters'),
            keys: ['C'],
            icon: <IconFilterOff {...sign} />,
            run: context.clearFilters,
          },
        ]
      : []),
  ].map((command) => ({ ...command, group: i18n.t('Cases') }));
  const nextAppeal: Command = {
    id: 'next undecided',
    label: i18n.t('Next undecided appeal'),
    group: i18n.t('Navigation'),
    keys: ['n'],
    keyboardOnly: true,
    run: context.openNext,
  };
  return [...navigation, ...onCase, ...(isOnAppeals ? [nextAppeal] : list), ...queues];
}
