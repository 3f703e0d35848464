import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { offeredQuery } from '../api/offered.ts';
import { useServer } from '../console-context.ts';
import classes from './PageTabs.module.css';
import { sisterScreens } from './sister-screens.ts';

/** The screens that share a place on the rail, as the parts of a page are shown: as far as the server offers what they show. */
export function SisterScreens({ of }: { of: keyof typeof sisterScreens }) {
  const { data: offered } = useQuery(offeredQuery(useServer()));
  const shown = sisterScreens[of].filter(({ needs }) => needs === undefined || offered?.has(needs));
  if (shown.length < 2) return null;
  return (
    <nav className={classes.list} aria-label={i18n.t('Of the same kind')}>
      {shown.map(({ path, label }) => (
        <Link
          key={path}
          to={path}
          search={({ server }) => ({ server })}
          activeOptions={{ exact: true, includeSearch: false }}
          className={classes.tab}
        >
          {i18n.t(label)}
        </Link>
      ))}
    </nav>
  );
}
