import { i18n } from '@lingui/core';
import {
  IconArrowBackUp,
  IconArrowForward,
  IconEyeCheck,
  IconFilter,
  IconFilterOff,
  IconInbox,
  IconNote,
  IconSquareCheck,
  IconUrgent,
} from '@tabler/icons-react';
import { verdicts } from '../../../../shared/team/entries.ts';
import type { Command } from '../../../components/commands.ts';
import { noticesOf } from '../../../components/notices.ts';
import { reportQueues } from '../../../components/report-queues.ts';
import type { Server } from '../../../transport/server.ts';
import type { Queue } from '../report-search.ts';
import { resolveAs, verdictKeys } from './MarkButtons.tsx';
import type { ReportSelection } from './report-selection.ts';
import type { Triage } from './use-triage.ts';

type Selection = Pick<ReportSelection, 'currentId' | 'selected' | 'clear' | 'toggle' | 'selectLoaded'>;

export type TriageContext = {
  server: Server;
  selection: Selection;
  triage: Triage;
  isShown: (reportId: number) => boolean;
  /** Whether reports are still being selected. */
  isGathering: () => boolean;
  /** Moves by this many reports, once they're loaded. */
  move: (by: number, label: string) => void;
  focusFilter: () => void;
  focusDetail: () => void;
  focusNote: () => void;
  /** Focuses the list and shows it in a narrow window. */
  showList: () => void;
  /** Whether the focus is in the report. */
  isInDetail: () => boolean;
  selectAll: () => unknown;
  /** Undefined without filters. */
  clearFilters: (() => void) | undefined;
};

/** Returns the selected reports, or else the open one. */
const affectedBy = ({ selected, currentId }: Selection): number[] =>
  selected.size > 0 ? [...selected] : currentId === undefined ? [] : [currentId];

export const noteCommand = (run: () => void): Command => ({
  id: 'note',
  label: i18n.t('Write note'),
  group: i18n.t('Report'),
  keys: ['c'],
  icon: <IconNote size={17} stroke={1.6} />,
  run,
});

/** The commands of every list of reports. */
export function triageCommands(context: TriageContext): Command[] {
  const { selection, triage } = context;
  const { currentId } = selection;
  const affected = affectedBy(selection);
  /** Disabled while a selection is loading, which would apply to a part. */
  function onceSelected(run: () => void) {
    if (!context.isGathering()) return run();
    noticesOf(context.server).show({ text: i18n.t('Still selecting: nothing was changed') });
  }
  /** Disabled while the report is loading: a repeated key would decide an unseen one. */
  const decide = (run: () => void) =>
    onceSelected(() => {
      const id = selection.selected.size > 0 ? undefined : affected.find((each) => !context.isShown(each));
      if (id === undefined) return run();
      const text = i18n.t('Report {id} is still loading: nothing was changed', { id });
      noticesOf(context.server).show({ text });
    });

  const steps: [id: string, label: string, keys: string[], by: number][] = [
    ['next', i18n.t('Next report'), ['j', 'ArrowDown'], 1],
    ['previous', i18n.t('Previous report'), ['k', 'ArrowUp'], -1],
    ['page down', i18n.t('Forward 10 reports'), ['PageDown'], 10],
    ['page up', i18n.t('Back 10 reports'), ['PageUp'], -10],
    ['first', i18n.t('First report'), ['Home'], Number.NEGATIVE_INFINITY],
    ['last', i18n.t('Last report'), ['End'], Number.POSITIVE_INFINITY],
  ];
  const moves: Command[] = [
    ...steps.map(([id, label, keys, by]) => ({ id, label, keys, run: () => context.move(by, label) })),
    { id: 'focus detail', label: i18n.t('Focus report'), keys: ['Enter'], run: context.focusDetail },
    {
      id: 'back',
      label: i18n.t('Clear selection'),
      keys: ['Escape'],
      run: () => {
        if (!context.isInDetail()) selection.clear();
        context.showList();
      },
    },
  ].map((command) => ({ ...command, group: i18n.t('Navigation'), keyboardOnly: true, repeats: true }));

  const onReports: Command[] =
    affected.length === 0
      ? []
      : [
          {
            id: 'reviewed',
            label: i18n.t('{count, plural, one {Resolve and open next} other {Resolve # reports}}', {
              count: affected.length,
            }),
            keys: ['e'],
            icon: <IconEyeCheck size={17} stroke={1.6} />,
            run: () => decide(() => triage.review(affected)),
          },
          ...verdicts.map((verdict) => ({
            id: verdict,
            label: resolveAs(verdict),
            keys: [verdictKeys[verdict]],
            icon: <IconEyeCheck size={17} stroke={1.6} />,
            run: () => decide(() => triage.review(affected, verdict)),
          })),
          {
            id: 'escalate',
            label: i18n.t('{count, plural, one {Escalate and open next} other {Escalate # reports}}', {
              count: affected.length,
            }),
            keys: ['!'],
            icon: <IconUrgent size={17} stroke={1.6} />,
            run: () => decide(() => triage.escalate(affected)),
          },
          {
            id: 'select',
            label: i18n.t('Toggle selection'),
            keys: ['x'],
            icon: <IconSquareCheck size={17} stroke={1.6} />,
            run: () => currentId !== undefined && selection.toggle(currentId),
          },
        ].map((command) => ({ ...command, group: i18n.t('Selection'), actsOnOpenItem: true }));

  return [
    ...moves,
    ...onReports,
    ...(currentId === undefined ? [] : [noteCommand(context.focusNote)]),
    {
      id: 'take back',
      label: i18n.t('Reopen report'),
      group: i18n.t('Reports'),
      keys: ['t'],
      actsOnOpenItem: true,
      icon: <IconArrowBackUp size={17} stroke={1.6} />,
      run: () => onceSelected(() => triage.undo(affected)),
    },
    {
      id: 'next unreviewed',
      label: i18n.t('Next open report'),
      group: i18n.t('Reports'),
      keys: ['n'],
      icon: <IconArrowForward size={17} stroke={1.6} />,
      run: triage.nextUnreviewed,
    },
    {
      id: 'select all',
      label: i18n.t('Select all loaded'),
      group: i18n.t('Reports'),
      keys: ['a'],
      icon: <IconSquareCheck size={17} stroke={1.6} />,
      run: selection.selectLoaded,
    },
    {
      id: 'select all that match',
      label: i18n.t('Select all matches'),
      group: i18n.t('Reports'),
      keys: ['A'],
      icon: <IconSquareCheck size={17} stroke={1.6} />,
      run: () => void context.selectAll(),
    },
    {
      id: 'filter',
      label: i18n.t('Filter reports'),
      group: i18n.t('Reports'),
      keys: ['/'],
      icon: <IconFilter size={17} stroke={1.6} />,
      run: context.focusFilter,
    },
    ...(context.clearFilters
      ? [
          {
            id: 'clear filters',
            label: i18n.t('Clear filters'),
            group: i18n.t('Reports'),
            keys: ['C'],
            icon: <IconFilterOff size={17} stroke={1.6} />,
            run: context.clearFilters,
          },
        ]
      : []),
  ];
}

/** Palette commands for queues, and shortcuts to the next and previous one. */
export function queueCommands(
  shown: Queue | undefined,
  onQueue: (change: { queue: Queue | undefined }) => void,
): Command[] {
  const group = i18n.t('Queues');
  const icon = <IconInbox size={17} stroke={1.6} />;
  const at = reportQueues.findIndex(({ queue }) => queue === shown);
  const beside = (step: number) => {
    const next = reportQueues[at + step];
    if (next) onQueue({ queue: next.queue });
  };
  return [
    ...reportQueues
      .filter((_, place) => place !== at)
      .map(({ queue, name }) => ({
        id: `queue ${queue ?? 'all'}`,
        label: i18n.t(name),
        group,
        icon,
        run: () => onQueue({ queue }),
      })),
    {
      id: 'next queue',
      label: i18n.t('Next queue'),
      group,
      keys: ['>'],
      keyboardOnly: true,
      run: () => beside(1),
    },
    {
      id: 'previous queue',
      label: i18n.t('Previous queue'),
      group,
      keys: ['<'],
      keyboardOnly: true,
      run: () => beside(-1),
    },
  ];
}
