import { i18n } from '@lingui/core';
import { IconCalendarSearch, IconChartBar, IconCopy, IconDownload, IconFilter } from '@tabler/icons-react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import type { Command } from '../../components/commands.ts';
import { noticesOf } from '../../components/notices.ts';
import { useCommands } from '../../console-context.ts';
import type { Server } from '../../transport/server.ts';
import { type Arrangement, arrangeCommands } from './ArrangeMenu.tsx';
import { queueCommands, type TriageContext, triageCommands } from './desk/commands.tsx';
import type { ReportSelection } from './desk/report-selection.ts';
import type { JumpTarget } from './JumpMenu.tsx';
import type { ReportSearch } from './report-search.ts';

type Context = TriageContext & {
  selection: ReportSelection;
  current: EventReportItem | undefined;
  change: (changes: Partial<ReportSearch>) => void;
  jump: (target: JumpTarget) => Promise<void>;
  openJump: () => void;
  openExport: () => void;
  showStatistics: () => void;
  search: ReportSearch;
  openArrangement: (menu: Arrangement) => void;
};

/** The keys of the reports screen and its part of the command palette. */
export function useReportCommands(context: Context) {
  const { current, change } = context;

  const onCurrent: Command[] = current
    ? [
        { id: 'only room', label: i18n.t('Filter by room'), changes: { room: current.room_id } },
        {
          id: 'only reporter',
          label: i18n.t('Filter by reporter'),
          changes: { reporter: current.user_id },
        },
        ...(current.sender === null
          ? []
          : [
              {
                id: 'only sender',
                label: i18n.t('Filter by sender'),
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
    ...triageCommands(context),
    ...onCurrent,
    ...(current
      ? [
          {
            id: 'copy event id',
            label: i18n.t('Copy event ID'),
            group: i18n.t('Report'),
            icon: <IconCopy size={17} stroke={1.6} />,
            run: () => void copyEventId(context.server, current.event_id),
          },
        ]
      : []),
    {
      id: 'jump',
      label: i18n.t('Jump to date or position'),
      group: i18n.t('Reports'),
      keys: ['g'],
      icon: <IconCalendarSearch size={17} stroke={1.6} />,
      run: context.openJump,
    },
    {
      id: 'middle',
      label: i18n.t('Jump to middle'),
      group: i18n.t('Reports'),
      icon: <IconCalendarSearch size={17} stroke={1.6} />,
      run: () => void context.jump('middle'),
    },
    {
      id: 'statistics',
      label: i18n.t('Report statistics'),
      group: i18n.t('Reports'),
      icon: <IconChartBar size={17} stroke={1.6} />,
      run: context.showStatistics,
    },
    {
      id: 'export',
      label: i18n.t('Export to file'),
      group: i18n.t('Reports'),
      icon: <IconDownload size={17} stroke={1.6} />,
      run: context.openExport,
    },
    ...arrangeCommands(context.search, change, context.openArrangement),
    ...queueCommands(context.search.queue, change),
  ]);
}

async function copyEventId(server: Server, eventId: string) {
  try {
    await navigator.clipboard.writeText(eventId);
    noticesOf(server).show({ text: i18n.t('Event ID copied') });
  } catch {
    noticesOf(server).show({
      text: i18n.t("Couldn't copy the event ID. Check the browser's permissions."),
      isFailure: true,
    });
  }
}
