import type { CSSProperties, ReactNode } from 'react';
import classes from './SizeBar.module.css';

type Props = {
  /** Fraction of the largest value, or of the total; undefined for no bar. */
  share: number | undefined;
  /** Shows the rest as well. */
  isWhole?: true;
  children: ReactNode;
};

/** Renders a number with a bar that compares it to the largest one in its column. */
export const SizeBar = ({ share, isWhole, children }: Props) => (
  <span className={classes.size}>
    {share !== undefined && (
      <span
        className={classes.bar}
        data-whole={isWhole}
        style={{ '--share': share } as CSSProperties}
        aria-hidden
      />
    )}
    <span className={classes.figure}>{children}</span>
  </span>
);
