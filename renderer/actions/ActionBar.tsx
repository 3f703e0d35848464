import { lazy, Suspense } from 'react';
import classes from './ActionBar.module.css';
import type { ActedOn } from './subject.ts';

const load = () => import('./LoadedActionBar.tsx');
const LoadedActionBar = lazy(load);
// Whoever shows a bar soon has something to act on.
load().catch(() => {});

export type ActionBarProps = {
  on: ActedOn;
  /** Something was done or is under way, and the panel is closed. */
  onActed?: () => void;
  /** Keys and palette are another bar's. */
  quiet?: boolean;
};

/** What can be done to an event, a user or a room, or to many: the usual as buttons, the rest in a menu. */
export function ActionBar(props: ActionBarProps) {
  return (
    <Suspense fallback={<div className={classes.bar} aria-busy />}>
      <LoadedActionBar {...props} />
    </Suspense>
  );
}
