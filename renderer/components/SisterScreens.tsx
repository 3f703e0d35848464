import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type Endpoint, offeredQuery } from '../api/offered.ts';
import { useServer } from '../console-context.ts';
import { compact, number } from '../words/format.ts';
import classes from './PageTabs.module.css';

// Screens that share a place on the rail with another one, in order.

type Sister = {
  path: '/reports' | '/reports/users' | '/reports/rooms' | '/tasks' | '/tasks/background-updates';
  /** Beside the others. */
  label: string;
  /** By itself, in the palette and in the title; the first of them has its own on the rail. */
  name?: string;
  /** Shown only where the server has one of these. */
  needs?: readonly Endpoint[];
};

const sisterScreens = {
  reports: [
    { path: '/reports', label: /*i18n*/ 'Event reports' },
    {
      path: '/reports/users',
      label: /*i18n*/ 'User reports',
      name: /*i18n*/ 'User reports',
      needs: ['userReports'],
    },
    {
      path: '/reports/rooms',
      label: /*i18n*/ 'Room reports',
      name: /*i18n*/ 'Room reports',
      // Where room reports are accepted but not listed, the screen says so.
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
} satisfies Record<string, Sister[]>;

/** Every screen that has no place of its own on the rail. */
export const screensOffRail: Sister[] = Object.values(sisterScreens).flat();

type Props = {
  of: keyof typeof sisterScreens;
  /** How much is to be done on each, where it is known. */
  waiting?: Partial<Record<Sister['path'], number | undefined>>;
};

/** The screens that share a place on the rail, as the parts of a page are shown: as far as the server offers what they show, and while that isn't known the one that one is on. */
export function SisterScreens({ of, waiting = {} }: Props) {
  const { data: offered, isPending } = useQuery(offeredQuery(useServer()));
  const pathname = useLocation({ select: ({ pathname }) => pathname });
  const shown = sisterScreens[of].filter(
    ({ needs, path }) =>
      needs === undefined ||
      (offered ? needs.some((each) => offered.has(each)) : `${pathname}/`.startsWith(`${path}/`)),
  );
  // Where others are to come, they have their room before.
  if (shown.length < 2 && !isPending) return null;
  return (
    <nav className={classes.list} aria-label={i18n.t('Related pages')}>
      {shown.map(({ path, label }) => (
        <Link
          key={path}
          to={path}
          search={({ server }) => ({ server })}
          activeOptions={{
            exact: shown.some((other) => other.path.startsWith(`${path}/`)),
            includeSearch: false,
          }}
          className={classes.tab}
        >
          {i18n.t(label)}{' '}
          {waiting[path] !== undefined && (
            <span
              className={classes.waiting}
              title={i18n.t('{count} open or escalated', { count: number(waiting[path]) })}
            >
              {compact(waiting[path])}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
