import { Skeleton } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { useDwelledInView } from '../components/in-view.ts';
import classes from './subjects.module.css';

/** Renders a definition list. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

/** Renders a name and its value; nothing without a value. */
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
  /** Usual height in rem, to limit layout shifts. */
  height: number;
  /** Omits the heading, for content that names itself. */
  untitled?: boolean;
  children: ReactNode;
};

/** Renders a section that loads once it is scrolled into view. */
export function DetailSection({ title, height, untitled = false, children }: Props) {
  const [ref, isSeen] = useDwelledInView();
  return (
    <section
      ref={ref}
      className={classes.part}
      style={{ '--usual-height': `${height}rem` } as CSSProperties}
      aria-label={title}
      // Focusable until loaded, so that Tab scrolls to it.
      tabIndex={isSeen ? -1 : 0}
    >
      {!untitled && <h2 className={classes.heading}>{title}</h2>}
      {isSeen ? (
        children
      ) : (
        <div className={classes.loading}>
          <Skeleton height={12} width="45%" />
        </div>
      )}
    </section>
  );
}
