import { Skeleton } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useLookedAt } from './looked-at.ts';
import classes from './ReportDetail.module.css';

type Props = { title: string; children: ReactNode };

/** A part of the report that asks the server for more, with a script of its own: both when someone looks at it. */
export function DetailPart({ title, children }: Props) {
  const [ref, isLookedAt] = useLookedAt();
  const waiting = <Skeleton height={12} width="45%" />;
  return (
    <section ref={ref} className={classes.section} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      {isLookedAt ? <Suspense fallback={waiting}>{children}</Suspense> : waiting}
    </section>
  );
}
