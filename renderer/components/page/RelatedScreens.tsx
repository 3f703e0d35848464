import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type Endpoint, offeredQuery } from '../../api/supported-endpoints.ts';
import { useServer } from '../../console-context.ts';
import { compact, number } from '../../words/format.ts';
import classes from './PageTabs.module.css';

// Screens that share an entry in the navigation, as tabs.

type Screen = {
  path:
    | '/reports/cases'
    | '/reports'
    | '/reports/users'
    | '/reports/rooms'
    | '/tasks'
    | '/tasks/background-updates';
  /** In the tabs; languages with longer words leave out that these are reports. */
  label: string | { id: string; message: string };
  /** In the palette and the title; the first one uses the navigation's. */
  name?: string;
  /** Shown only if the server supports one of these. */
  needs?: readonly Endpoint[];
};

const relatedScreens = {
  reports: [
    { path: '/reports/cases', label: /*i18n*/ 'Cases' },
    { path: '/reports', label: /*i18n*/ { id: 'tab: Event reports', message: 'Event reports' } },
    {
      path: '/reports/users',
      label: /*i18n*/ { id: 'tab: User reports', message: 'User reports' },
      name: /*i18n*/ 'User reports',
      needs: ['userReports'],
    },
    {
      path: '/reports/rooms',
      label: /*i18n*/ { id: 'tab: Room reports', message: 'Room reports' },
      name: /*i18n*/ 'Room reports',
      // With `reportRoom` alone, the screen says that reports can't be listed.
      needs: ['roomReports', 'reportRoom'],
    },
  ],
  tasks: [
    { path: '/tasks', label: /*i18n*/ 'Tasks' },
    {
      path: '/tasks/background-updates',
      label: /*i18n*/ 'Background updates',
      name: /*i18n*/ 'Background updates',
      needs: ['backgroundUpdates'],
    },
  ],
} satisfies Record<string, Screen[]>;

export const screensOffRail: Screen[] = Object.values(relatedScreens).flat();

type Props = {
  of: keyof typeof relatedScreens;
  /** Badge counts. */
  counts?: Partial<Record<Screen['path'], number | undefined>>;
};

/** Renders tabs for the related screens that the server supports. Until that is known, only the current one. */
export function RelatedScreens({ of, counts = {} }: Props) {
  const { data: offered, isPending } = useQuery(offeredQuery(useServer()));
  const pathname = useLocation({ select: ({ pathname }) => pathname });
  const visible = relatedScreens[of].filter(
    ({ needs, path }) =>
      needs === undefined ||
      (offered ? needs.some((each) => offered.has(each)) : `${pathname}/`.startsWith(`${path}/`)),
  );
  // Keeps the tab bar's height while loading.
  if (visible.length < 2 && !isPending) return null;
  return (
    <nav className={classes.list} aria-label={i18n.t('Related pages')}>
      {visible.map(({ path, label }) => (
        <Link
          key={path}
          to={path}
          activeOptions={{
            exact: visible.some((other) => other.path.startsWith(`${path}/`)),
            includeSearch: false,
          }}
          className={classes.tab}
        >
          {typeof label === 'string' ? i18n.t(label) : i18n.t(label)} <Waiting count={counts[path] ?? 0} />
        </Link>
      ))}
    </nav>
  );
}

function Waiting({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={classes.waiting} title={i18n.t('{count} open or escalated', { count: number(count) })}>
      {compact(count)}
    </span>
  );
}
