import { i18n } from '@lingui/core';
import { useMergedRef } from '@mantine/hooks';
import { IconFlag } from '@tabler/icons-react';
import { lazy, type Ref, Suspense, useLayoutEffect, useRef } from 'react';
import { StateMessage } from '../../../components/StateMessage.tsx';
import type { OpenReportProps } from './OpenReport.tsx';
import classes from './ReportDetail.module.css';
import { ReportDetailSkeleton } from './ReportDetailSkeleton.tsx';

const loadOpenReport = () => import('./OpenReport.tsx');
const OpenReport = lazy(loadOpenReport);
// The list is there first; the way to a report then has no wait in it.
loadOpenReport().catch(() => {});

type Props = Omit<OpenReportProps, 'reportId'> & {
  reportId: number | undefined;
  detailRef: Ref<HTMLElement>;
};

/** One report with everything that is needed to decide about it. */
export function ReportDetail({ reportId, detailRef, ...props }: Props) {
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
        <StateMessage
          icon={<IconFlag size={24} stroke={1.5} />}
          title={i18n.t('No report is open')}
          description={i18n.t('Choose one on the left, or press j for the first. Press ? for all keys.')}
        />
      ) : (
        <Suspense fallback={<ReportDetailSkeleton />}>
          <OpenReport key={reportId} {...props} reportId={reportId} />
        </Suspense>
      )}
    </section>
  );
}
