import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { offeredQuery } from '../api/offered.ts';
import { useServer } from '../console-context.ts';
import { compact, number } from '../words/format.ts';
import classes from './PageTabs.module.css';
import { type Sister, sisterScreens } from './sister-screens.ts';

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
