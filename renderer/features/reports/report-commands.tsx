import { i18n } from '@lingui/core';
import {
  IconArrowForward,
  IconCalendarSearch,
  IconChartBar,
  IconCopy,
  IconDownload,
  IconEyeCheck,
  IconEyeOff,
  IconFilter,
  IconFilterOff,
  IconSquareCheck,
  IconTrash,
  IconUrgent,
} from '@tabler/icons-react';
import type { EventReportItem } from '../../../shared/api/event-reports.ts';
import type { Command } from '../../components/commands.ts';
import { useCommands } from '../../console-context.ts';
import type { JumpTarget } from './JumpMenu.tsx';
import { isFiltered, type ReportSearch, withoutFilters } from './report-search.ts';
import type { ReportSelection } from './report-selection.ts';
import type { Triage } from './use-triage.ts';

type Context = {
  selection: ReportSelection;
  triage: Triage;
  current: EventReportItem | undefined;
  search: ReportSearch;
  change: (changes: Partial<ReportSearch>) => void;
  remove: (reportIds: readonly number[]) => void;
  jump: (target: JumpTarget) => Promise<void>;
  openJump: () => void;
  openExport: () => void;
  showStatistics: () => void;
  focusFilter: () => void;
  focusDetail: () => void;
  focusList: () => void;
  /** Whether the focus is in the report. */
  isInDetail: () => boolean;
  selectAll: () => void;
};

/** The keys of the reports screen and its part of the command palette. */
export function useReportCommands(context: Context) {
  const { selection, triage, current, search, change } = context;
  const { currentId, selected } = selection;
  const affected = selected.size > 0 ? [...selected] : currentId === undefined ? [] : [currentId];

  const moves: Command[] = [
    { id: 'next', label: i18n.t('Next report'), keys: ['j', 'ArrowDown'], run: () => selection.move(1) },
    {
      id: 'previous',
      label: i18n.t('Previous report'),
      keys: ['k', 'ArrowUp'],
      run: () => selection.move(-1),
    },
    { id: 'page down', label: i18n.t('Ten further'), keys: ['PageDown'], run: () => selection.move(10) },
    { id: 'page up', label: i18n.t('Ten back'), keys: ['PageUp'], run: () => selection.move(-10) },
    {
      id: 'first',
      label: i18n.t('First report'),
      keys: ['Home'],
      run: () => selection.move(Number.NEGATIVE_INFINITY),
    },
    {
      id: 'last',
      label: i18n.t('Last report'),
      keys: ['End'],
      run: () => selection.move(Number.POSITIVE_INFINITY),
    },
    { id: 'focus detail', label: i18n.t('Into the report'), keys: ['Enter'], run: context.focusDetail },
    {
      id: 'back',
      label: i18n.t('Back to the list, then out of the selection'),
      keys: ['Escape'],
      run: () => {
        if (!context.isInDetail()) selection.clear();
        context.focusList();
      },
    },
  ].map((command) => ({ ...command, group: i18n.t('Moving'), keyboardOnly: true, repeats: true }));

  const onReports: Command[] =
    affected.length === 0
      ? []
      : [
          {
            id: 'reviewed',
            label: i18n.t(
              '{count, plural, one {Mark the report reviewed, and on to the next} other {Mark # reports reviewed}}',
              { count: affected.length },
            ),
            keys: ['e'],
            icon: <IconEyeCheck size={17} stroke={1.6} />,
            run: () => triage.review(affected),
          },
          {
            id: 'escalate',
            label: i18n.t(
              '{count, plural, one {Escalate the report, and on to the next} other {Escalate # reports}}',
              { count: affected.length },
            ),
            keys: ['!'],
            icon: <IconUrgent size={17} stroke={1.6} />,
            run: () => triage.escalate(affected),
          },
          {
            id: 'delete',
            label: i18n.t('{count, plural, one {Delete the report} other {Delete # reports}}', {
              count: affected.length,
            }),
            keys: ['Delete', 'Backspace'],
            icon: <IconTrash size={17} stroke={1.6} />,
            run: () => context.remove(affected),
          },
          {
            id: 'select',
            label: i18n.t('Select or deselect'),
            keys: ['x'],
            icon: <IconSquareCheck size={17} stroke={1.6} />,
            run: () => currentId !== undefined && selection.toggle(currentId),
          },
        ].map((command) => ({ ...command, group: i18n.t('Selection') }));

  const onCurrent: Command[] = current
    ? [
        { id: 'only room', label: i18n.t('Only reports from this room'), changes: { room: current.room_id } },
        {
          id: 'only reporter',
          label: i18n.t('Only reports by this reporter'),
          changes: { reporter: current.user_id },
        },
        ...(current.sender === null
          ? []
          : [
              {
                id: 'only sender',
                label: i18n.t('Only reports against this sender'),
                changes: { sender: current.sender },
              },
            ]),
      ].map(({ changes, ...command }) => ({
        ...command,
        group: i18n.t('Report'),
        icon: <IconFilter size={17} stroke={1.6} />,
        run: () => change(changes),
      }))
    : [];

  useCommands([
    ...moves,
    ...onReports,
    ...onCurrent,
    ...(current
      ? [
          {
            id: 'copy event id',
            label: i18n.t('Copy the event id'),
            group: i18n.t('Report'),
            icon: <IconCopy size={17} stroke={1.6} />,
            run: () => void navigator.clipboard.writeText(current.event_id),
          },
        ]
      : []),
    {
      id: 'take back',
      label: i18n.t('Take a mark back'),
      group: i18n.t('Reports'),
      keys: ['t'],
      icon: <IconEyeOff size={17} stroke={1.6} />,
      run: () => triage.takeBack(affected),
    },
    {
      id: 'next unreviewed',
      label: i18n.t('Next unreviewed report'),
      group: i18n.t('Reports'),
      keys: ['n'],
      icon: <IconArrowForward size={17} stroke={1.6} />,
      run: triage.nextUnreviewed,
    },
    {
      id: 'jump',
      label: i18n.t('Jump to a date or a place'),
      group: i18n.t('Reports'),
      keys: ['g'],
      icon: <IconCalendarSearch size={17} stroke={1.6} />,
      run: context.openJump,
    },
    {
      id: 'middle',
      label: i18n.t('To the middle of the list'),
      group: i18n.t('Reports'),
      icon: <IconCalendarSearch size={17} stroke={1.6} />,
      run: () => void context.jump('middle'),
    },
    {
      id: 'statistics',
      label: i18n.t('Statistics of reports'),
      group: i18n.t('Reports'),
      icon: <IconChartBar size={17} stroke={1.6} />,
      run: context.showStatistics,
    },
    {
      id: 'export',
      label: i18n.t('Export as a file'),
      group: i18n.t('Reports'),
      icon: <IconDownload size={17} stroke={1.6} />,
      run: context.openExport,
    },
    {
      id: 'select all',
      label: i18n.t('Select all that are loaded'),
      group: i18n.t('Reports'),
      keys: ['a'],
      icon: <IconSquareCheck size={17} stroke={1.6} />,
      run: selection.selectLoaded,
    },
    {
      id: 'select all that match',
      label: i18n.t('Select all that match'),
      group: i18n.t('Reports'),
      keys: ['A'],
      icon: <IconSquareCheck size={17} stroke={1.6} />,
      run: context.selectAll,
    },
    {
      id: 'filter',
      label: i18n.t('Filter reports'),
      group: i18n.t('Reports'),
      keys: ['/'],
      icon: <IconFilter size={17} stroke={1.6} />,
      run: context.focusFilter,
    },
    ...(isFiltered(search)
      ? [
          {
            id: 'clear filters',
            label: i18n.t('Clear filters'),
            group: i18n.t('Reports'),
            icon: <IconFilterOff size={17} stroke={1.6} />,
            run: () => change(withoutFilters),
          },
        ]
      : []),
  ]);
}
