import { i18n } from '@lingui/core';
import { Link, useRouter } from '@tanstack/react-router';
import { memo } from 'react';
import { Mark } from '../../components/Mark.tsx';
import { useServerIfAny } from '../../console-context.ts';
import { useWaiting } from '../../team/unreviewed.ts';
import { compact } from '../../words/format.ts';
import classes from './Rail.module.css';
import type { Screen } from './screens.ts';
import { useShownScreens } from './shown-screens.ts';

export function Rail() {
  const shown = useShownScreens();
  return (
    <nav className={classes.rail} aria-label={i18n.t('Screens')}>
      <span className={classes.mark}>
        <Mark size={26} />
      </span>
      {shown.map((screen) => (
        <Entry key={screen.path} screen={screen} />
      ))}
    </nav>
  );
}

/** The others stay as they are where one more becomes known. */
const Entry = memo(function Entry({ screen: { path, search, name, icon: Icon, last } }: { screen: Screen }) {
  const router = useRouter();
  return (
    <Link
      to={path}
      search={search ?? {}}
      className={classes.entry}
      data-last={last || undefined}
      title={i18n.t(name)}
      activeOptions={{ includeSearch: false }}
      // Who reaches for a screen finds its script there.
      onPointerEnter={() => void router.loadRouteChunk(router.routesByPath[path])}
    >
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className={classes.name}>{i18n.t(name)}</span>
      {path === '/reports' && <UnreviewedBadge />}
    </Link>
  );
});

function UnreviewedBadge() {
  const waiting = useWaiting(useServerIfAny());
  if (!waiting) return null;
  const { unreviewed, escalated } = waiting;
  if (unreviewed + escalated === 0) return null;
  const shown = compact(unreviewed + escalated);
  return (
    <span
      className={classes.badge}
      data-escalated={escalated > 0 || undefined}
      data-long={shown.length > 4 || undefined}
      role="status"
      aria-label={
        escalated > 0
          ? i18n.t('{unreviewed} open, {escalated} escalated', { unreviewed, escalated })
          : i18n.t('{unreviewed} open', { unreviewed })
      }
    >
      {shown}
    </span>
  );
}
