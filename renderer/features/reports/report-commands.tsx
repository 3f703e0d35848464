import { i18n } from '@lingui/core';
import {
  IconArrowBackUp,
  IconCopy,
  IconEyeCheck,
  IconFilter,
  IconFilterOff,
  IconSquareCheck,
  IconTrash,
} from '@tabler/icons-react';
import type { EventReportItem } from '../../../shared/api/event-reports.ts';
import type { Command } from '../../components/commands.ts';
import { useCommands, useConsole } from '../../console-context.ts';
import { isFiltered, type ReportSearch } from './report-search.ts';
import type { ReportSelection } from './report-selection.ts';

type Context = {
  selection: ReportSelection;
  reviewed: ReadonlySet<number>;
  current: EventReportItem | undefined;
  search: ReportSearch;
  change: (changes: Partial<ReportSearch>) => void;
  remove: (reportIds: readonly number[]) => void;
  toggleReviewed: (reportIds: readonly number[]) => void;
  focusFilter: () => void;
  focusDetail: () => void;
  focusList: () => void;
};

/** The keys of the reports screen and its part of the command palette. */
export function useReportCommands(context: Context) {
  const { deletedReports } = useConsole();
  const { selection, current, search, change } = context;
  const { currentId, selected } = selection;
  const affected = selected.size > 0 ? [...selected] : currentId === undefined ? [] : [currentId];
  const allReviewed = affected.length > 0 && affected.every((id) => context.reviewed.has(id));

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
      label: i18n.t('Last loaded report'),
      keys: ['End'],
      run: () => selection.move(Number.POSITIVE_INFINITY),
    },
    { id: 'focus detail', label: i18n.t('Into the report'), keys: ['Enter'], run: context.focusDetail },
    {
      id: 'back',
      label: i18n.t('Back to the list, then out of the selection'),
      keys: ['Escape'],
      run: () => {
        const inList = document.activeElement?.getAttribute('role') === 'listbox';
        if (inList) selection.clear();
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
            label: allReviewed
              ? i18n.t(
                  '{count, plural, one {Mark the report not reviewed} other {Mark # reports not reviewed}}',
                  { count: affected.length },
                )
              : i18n.t('{count, plural, one {Mark the report reviewed} other {Mark # reports reviewed}}', {
                  count: affected.length,
                }),
            keys: ['e'],
            icon: <IconEyeCheck size={17} stroke={1.6} />,
            run: () => context.toggleReviewed(affected),
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
      id: 'undo',
      label: i18n.t('Undo the last deletion'),
      group: i18n.t('Reports'),
      keys: ['z'],
      icon: <IconArrowBackUp size={17} stroke={1.6} />,
      run: deletedReports.undoLatest,
    },
    {
      id: 'select all',
      label: i18n.t('Select all that are loaded'),
      group: i18n.t('Reports'),
      keys: ['a'],
      icon: <IconSquareCheck size={17} stroke={1.6} />,
      run: selection.selectAll,
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
            run: () => change({ room: undefined, reporter: undefined, sender: undefined }),
          },
        ]
      : []),
  ]);
}
