import { i18n } from '@lingui/core';
import {
  IconArchive,
  IconArrowRight,
  IconChartBar,
  IconFolders,
  IconHistory,
  IconInbox,
  IconRobot,
  IconScale,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { memo, type ReactNode, useState } from 'react';
import { useBasket } from '../../actions/basket/use-basket.ts';
import { hasWorkbenchQuery } from '../../api/shell.ts';
import { hasSavedOffered, offeredQuery } from '../../api/supported-endpoints.ts';
import type { Command } from '../../components/commands.ts';
import { Mark } from '../../components/Logo.tsx';
import { screensOffRail } from '../../components/page/RelatedScreens.tsx';
import { reportQueues } from '../../components/report-queues.ts';
import { useCommands, useConsole, useServer, useServerIfAny } from '../../console-context.ts';
import { usePendingCounts } from '../../team/open-counts.ts';
import { compact, number } from '../../words/format.ts';
import classes from './Rail.module.css';
import { type Screen, useAvailableScreens } from './screens.ts';

export function Rail() {
  const available = useAvailableScreens();
  return (
    <nav className={classes.rail} aria-label={i18n.t('Screens')}>
      <span className={classes.mark}>
        <Mark size={26} />
      </span>
      {available.map((screen) => (
        <Entry key={screen.path} screen={screen} />
      ))}
    </nav>
  );
}

/** Memoized: the list changes when a server's features become known. */
const Entry = memo(function Entry({
  screen: { path, search, name, shortName = name, icon: Icon, last },
}: {
  screen: Screen;
}) {
  const router = useRouter();
  return (
    <Link
      to={path}
      search={search ?? {}}
      className={classes.entry}
      data-last={last || undefined}
      title={i18n.t(name)}
      activeOptions={{ includeSearch: false }}
      // Preloads the screen's script.
      onPointerEnter={() => void router.loadRouteChunk(router.routesByPath[path])}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className={classes.name}>{i18n.t(shortName)}</span>
      {path === '/reports' && <UnreviewedBadge />}
      {path === '/basket' && <BasketBadge />}
    </Link>
  );
});

function UnreviewedBadge() {
  const waiting = usePendingCounts(useServerIfAny());
  if (!waiting) return null;
  const { unreviewed, escalated } = waiting;
  if (unreviewed + escalated === 0) return null;
  const label = compact(unreviewed + escalated);
  return (
    <span
      className={classes.badge}
      data-escalated={escalated > 0 || undefined}
      data-long={label.length > 4 || undefined}
      role="status"
      aria-label={
        escalated > 0
          ? i18n.t('{unreviewed} open, {escalated} escalated', { unreviewed, escalated })
          : i18n.t('{unreviewed} open', { unreviewed })
      }
    >
      {label}
    </span>
  );
}

function BasketBadge() {
  const { length: count } = useBasket(useServerIfAny());
  return (
    <span
      className={classes.badge}
      role="status"
      aria-label={i18n.t('{count} in basket', { count: number(count) })}
    >
      {compact(count)}
    </span>
  );
}

/** Palette commands for screens and dialogs that depend on the server's features. Sends no feature requests. */
export function FeatureCommands(): ReactNode {
  const navigate = useNavigate();
  const server = useServer();
  const { host } = useConsole();
  const [isRemembered] = useState(() => hasSavedOffered(server));
  const { data: offered } = useQuery({ ...offeredQuery(server), enabled: isRemembered });
  // Only asks servers on this computer. The rail shows their developer tools.
  useQuery(hasWorkbenchQuery(host, server.connection));
  // Skips commands that the current screen has itself.
  const screen = useLocation({ select: ({ pathname }) => pathname });
  const hasQueues =
    screen.startsWith('/reports') &&
    ![
      '/reports/statistics',
      '/reports/log',
      '/reports/policies',
      '/reports/rules',
      '/reports/evidence',
    ].includes(screen);
  const canCreateUser = screen !== '/users' && offered?.has('users') && offered.has('nameAvailable');
  const canCleanUp = screen !== '/media' && (offered?.has('deleteUnused') || offered?.has('purgeCopies'));
  useCommands([
    ...screensOffRail.flatMap(({ path, name, needs }): Command[] =>
      name !== undefined && needs?.some((endpoint) => offered?.has(endpoint))
        ? [
            {
              id: path,
              label: i18n.t(name),
              group: i18n.t('Go to'),
              icon: <IconArrowRight size={17} stroke={1.6} />,
              run: () => navigate({ to: path }),
            },
          ]
        : [],
    ),
    ...(screen !== '/reports'
      ? [
          {
            id: 'statistics',
            label: i18n.t('Report statistics'),
            group: i18n.t('Go to'),
            icon: <IconChartBar size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/reports/statistics' }),
          },
        ]
      : []),
    ...(screen !== '/reports/lists'
      ? [
          {
            id: 'policy lists',
            label: i18n.t('Policy lists'),
            group: i18n.t('Go to'),
            icon: <IconArrowRight size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/reports/lists' }),
          },
        ]
      : []),
    ...(screen !== '/reports/cases'
      ? [
          {
            id: 'cases',
            label: i18n.t('Cases'),
            group: i18n.t('Go to'),
            icon: <IconFolders size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/reports/cases' }),
          },
        ]
      : []),
    ...(screen !== '/reports/log'
      ? [
          {
            id: 'moderation log',
            label: i18n.t('Moderation log'),
            group: i18n.t('Go to'),
            icon: <IconHistory size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/reports/log' }),
          },
        ]
      : []),
    ...(screen !== '/reports/policies'
      ? [
          {
            id: 'policies',
            label: i18n.t('Policies'),
            group: i18n.t('Go to'),
            icon: <IconScale size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/reports/policies' }),
          },
        ]
      : []),
    ...(screen !== '/reports/rules'
      ? [
          {
            id: 'automatic rules',
            label: i18n.t('Automatic rules'),
            group: i18n.t('Go to'),
            icon: <IconRobot size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/reports/rules' }),
          },
        ]
      : []),
    ...(screen !== '/reports/evidence'
      ? [
          {
            id: 'evidence',
            label: i18n.t('Evidence'),
            group: i18n.t('Go to'),
            icon: <IconArchive size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/reports/evidence' }),
          },
        ]
      : []),
    ...(hasQueues
      ? []
      : reportQueues.slice(1).map(
          ({ queue, name }): Command => ({
            id: `queue ${queue}`,
            label: i18n.t(name),
            group: i18n.t('Go to'),
            icon: <IconInbox size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/reports', search: { queue } }),
          }),
        )),
    ...(canCleanUp
      ? [
          {
            id: 'clean up media',
            label: i18n.t('Clean up media'),
            group: i18n.t('Go to'),
            icon: <IconTrash size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/media/clean-up' }),
          },
        ]
      : []),
    ...(canCreateUser
      ? [
          {
            id: 'create user',
            label: i18n.t('Create user'),
            group: i18n.t('Users'),
            icon: <IconUserPlus size={17} stroke={1.6} />,
            run: () => void navigate({ to: '/users', search: { make: true } }),
          },
        ]
      : []),
  ]);
  return null;
}
