import { Skeleton } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { useLookedAt } from './looked-at.ts';
import classes from './subjects.module.css';

/** Names and values, one below the other. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

/** What has no value is left out. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === false || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

type Props = {
  title: string;
  /** How high it usually gets, in rem: what is below then moves little when it comes. */
  height: number;
  children: ReactNode;
};

/** A part of the report that loads once it is scrolled into view. */
export function DetailPart({ title, height, children }: Props) {
  const [ref, isLookedAt] = useLookedAt();
  return (
    <section
      ref={ref}
      className={classes.part}
      style={{ '--usual-height': `${height}rem` } as CSSProperties}
      aria-label={title}
      // The Tab key stops here until the content is loaded, and so scrolls to it.
      tabIndex={isLookedAt ? -1 : 0}
    >
      <h2 className={classes.heading}>{title}</h2>
      {isLookedAt ? (
        children
      ) : (
        <div className={classes.loading}>
          <Skeleton height={12} width="45%" />
        </div>
      )}
    </section>
  );
}
