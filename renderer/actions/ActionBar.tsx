import { lazy, Suspense } from 'react';
import classes from './ActionBar.module.css';
import type { ActionBarProps } from './action-bar-props.ts';

const load = () => import('./LoadedActionBar.tsx');
const LoadedActionBar = lazy(load);
// Whoever shows a bar soon has something to act on.
load().catch(() => {});

/** What can be done to an event, a user or a room, or to many: the usual as buttons, the rest in a menu. */
export function ActionBar(props: ActionBarProps) {
  return (
    <Suspense fallback={<div className={classes.bar} aria-busy />}>
      <LoadedActionBar {...props} />
    </Suspense>
  );
}
