import { colorOf, type Look } from '../../shared/connection-look.ts';
import classes from './ConnectionSwatch.module.css';

/** The CSS color of a connection. */
export const cssColorOf = (look: Look): string | undefined => {
  const color = colorOf(look);
  return color && `var(--gh-connection-${color})`;
};

/** Renders a connection's color, next to its label. */
export function ConnectionSwatch({ look }: { look: Look }) {
  return <span className={classes.swatch} style={{ background: cssColorOf(look) }} aria-hidden />;
}
