import { lazy, Suspense } from 'react';
import classes from './ActionBar.module.css';
import type { ActionBarProps } from './action-bar-props.ts';

/** For a screen that will show a bar as soon as it knows on what. */
export const loadActionBar = () => import('./LoadedActionBar.tsx');
const LoadedActionBar = lazy(loadActionBar);

/** What can be done to an event, a user or a room, or to many: the usual as buttons, the rest in a menu. */
export function ActionBar(props: ActionBarProps) {
  return (
    <Suspense fallback={<div className={classes.bar} aria-busy />}>
      <LoadedActionBar {...props} />
    </Suspense>
  );
}
