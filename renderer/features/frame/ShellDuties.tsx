import { i18n } from '@lingui/core';
import { useClipboard } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { type Linked, linkTo, readLink } from '../../../shared/link.ts';
import { plainServerName } from '../../../shared/plain-server-name.ts';
import { eventReportTotalQuery } from '../../api/event-reports.ts';
import { useCommands } from '../../console-context.ts';
import { useEscalated, useUnreviewed } from '../../team/unreviewed.ts';
import type { Shell } from '../../transport/host.ts';
import type { Server } from '../../transport/server.ts';

/** What the console does for the desktop app: it says how much there is to do, and gives links into the app. */
export function ShellDuties({ shell, server }: { shell: Shell; server: Server }): ReactNode {
  const open = useUnreviewed(server);
  const { event: escalated } = useEscalated(server);
  const unreviewed = open === undefined ? undefined : open + escalated;
  // The rail asks for it.
  const total = useQuery({ ...eventReportTotalQuery(server, {}), enabled: false }).data?.total;
  useEffect(() => {
    if (unreviewed === undefined || total === undefined) return;
    void shell.tellUnreviewed({ connectionId: server.id, unreviewed, total });
  }, [shell, server.id, unreviewed, total]);

  const clipboard = useClipboard();
  const shown = useShown();
  const link = shown && linkTo(plainServerName(server.connection), shown);
  useCommands(
    // One that the app itself would not follow is none.
    shown && link !== undefined && readLink(link)
      ? [
          {
            id: 'copy-link',
            label: {
              report: i18n.t('Copy report link'),
              user: i18n.t('Copy user link'),
              room: i18n.t('Copy room link'),
            }[shown.kind],
            group: i18n.t('Console'),
            icon: <IconLink size={17} stroke={1.6} />,
            run: () => {
              clipboard.copy(link);
              notifications.show({ message: i18n.t('Copied: {link}', { link }) });
            },
          },
        ]
      : [],
  );
  return null;
}

/** What the address names. */
function useShown(): Linked | undefined {
  const { userId, roomId } = useParams({ strict: false });
  const { report } = useSearch({ strict: false });
  if (report !== undefined) return { kind: 'report', id: report };
  if (userId !== undefined) return { kind: 'user', userId };
  return roomId === undefined ? undefined : { kind: 'room', roomId };
}
