import type { Reachability } from '../transport/reachability.ts';
import classes from './StatusDot.module.css';

/** Renders a decorative status dot; the text beside it says the same. */
export function StatusDot({ state, title }: { state: Reachability; title?: string }) {
  return <span className={classes.dot} data-state={state} title={title} aria-hidden />;
}
