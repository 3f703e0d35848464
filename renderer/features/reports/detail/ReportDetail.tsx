import { i18n } from '@lingui/core';
import { useMergedRef } from '@mantine/hooks';
import { lazy, type Ref, Suspense, useLayoutEffect, useRef } from 'react';
import { NothingOpen } from '../NothingOpen.tsx';
import type { OpenReportProps } from './OpenReport.tsx';
import classes from './ReportDetail.module.css';
import { ReportDetailSkeleton } from './ReportDetailSkeleton.tsx';

const loadOpenReport = () => import('./OpenReport.tsx');
const OpenReport = lazy(loadOpenReport);
// The list is there first; the way to a report then has no wait in it.
loadOpenReport().catch(() => {});

type Props = Omit<OpenReportProps, 'reportId'> & {
  reportId: number | undefined;
  /** There is none to open: the list says why. */
  isEmpty: boolean;
  detailRef: Ref<HTMLElement>;
};

/** One report with everything that is needed to decide about it. */
export function ReportDetail({ reportId, isEmpty, detailRef, ...props }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const ref = useMergedRef(scroller, detailRef);
  // Each report is read from its beginning, however far down the one before it was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another report is the reason
  useLayoutEffect(() => {
    scroller.current?.scrollTo(0, 0);
  }, [reportId]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by key
    <section ref={ref} className={classes.detail} aria-label={i18n.t('Report')} tabIndex={0}>
      {reportId === undefined ? (
        !isEmpty && <NothingOpen />
      ) : (
        <Suspense fallback={<ReportDetailSkeleton />}>
          <OpenReport key={reportId} {...props} reportId={reportId} />
        </Suspense>
      )}
    </section>
  );
}
