import type { Reachability } from '../transport/reachability.ts';
import classes from './StatusDot.module.css';

/** How something that runs is, as a dot; whatever stands beside it says it in words. */
export function StatusDot({ state, title }: { state: Reachability; title?: string }) {
  return <span className={classes.dot} data-state={state} title={title} aria-hidden />;
}
