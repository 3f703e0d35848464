import { lazy, Suspense } from 'react';
import { KeysOnTheWay } from '../components/KeysOnTheWay.tsx';
import classes from './ActionBar.module.css';
import type { ActionBarProps } from './action-bar-props.ts';

/**
 * For a screen that will show a bar as soon as it knows on what. The panel comes along, so that keys that are typed
 * right after an action's own go to what that opened.
 */
export async function loadActionBar() {
  const [{ LoadedActionBar }, { ActionPanel }] = await Promise.all([
    import('./LoadedActionBar.tsx'),
    import('./ActionPanel.tsx'),
  ]);
  return { default: (props: ActionBarProps) => <LoadedActionBar {...props} Panel={ActionPanel} /> };
}
const LoadedActionBar = lazy(loadActionBar);

/** What can be done to an event, a user or a room, or to many: the usual as buttons, the rest in a menu. */
export function ActionBar(props: ActionBarProps) {
  return (
    <Suspense
      fallback={
        <div className={classes.bar} aria-busy>
          {!props.quiet && <KeysOnTheWay />}
        </div>
      }
    >
      <LoadedActionBar {...props} />
    </Suspense>
  );
}
