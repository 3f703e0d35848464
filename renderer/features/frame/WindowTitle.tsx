import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { connectionsQuery } from '../../api/connections.ts';
import { screensOffRail } from '../../components/sister-screens.ts';
import { useWindowTitle } from '../../components/use-window-title.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { useWaiting } from '../../team/unreviewed.ts';
import { serverLabel } from '../../transport/server-name.ts';
import { screens } from './screens.ts';

/** The window says which screen of which server it shows, and how many reports wait there. */
export function WindowTitle() {
  const { host } = useConsole();
  const server = useServerIfAny();
  const pathname = useLocation({ select: ({ pathname }) => pathname });
  const waiting = useWaiting(server);
  const count = waiting ? waiting.unreviewed + waiting.escalated : 0;
  const { data: connections = [] } = useQuery(connectionsQuery(host));
  const name = [...screens, ...screensOffRail].find(
    ({ path }) => pathname === path || pathname.startsWith(`${path}/`),
  )?.name;
  const title = [
    count > 0 ? `(${count})` : '',
    [name && i18n.t(name), server && serverLabel(server.connection, connections), 'Gatehouse']
      .filter(Boolean)
      .join(' · '),
  ]
    .filter(Boolean)
    .join(' ');
  useWindowTitle(title);
  return null;
}
