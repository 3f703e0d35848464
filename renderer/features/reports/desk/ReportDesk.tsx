import { i18n } from '@lingui/core';
import { type CSSProperties, type ReactNode, type Ref, useLayoutEffect, useSyncExternalStore } from 'react';
import type { UnexpectedEntry } from '../../../api/lenient.ts';
import { UnexpectedEntryButton } from '../../../components/UnexpectedEntryButton.tsx';
import { WidthEdge } from '../../../components/WidthEdge.tsx';
import detailClasses from '../detail/ReportDetail.module.css';
import type { Queue } from '../report-search.ts';
import { EscalatePanel, type Escalation } from './EscalatePanel.tsx';
import { listWidth, narrowestList, widestList } from './list-width.ts';
import { NothingOpen } from './NothingOpen.tsx';
import { type QueueCounts, QueueTabs } from './QueueTabs.tsx';
import classes from './ReportDesk.module.css';
import { ReportKinds } from './ReportKinds.tsx';
import { TeamOffer } from './TeamOffer.tsx';

// Nothing depends on it.

type Props = {
  title: string;
  queue: Queue | undefined;
  counts: QueueCounts;
  onQueue: (change: { queue: Queue | undefined }) => void;
  filters: ReactNode;
  /** How many match, or what is selected; below it, what else there is to say of the list. */
  heading: ReactNode;
  /** Entries of the list that can't be read. */
  unexpected: readonly UnexpectedEntry[];
  list: ReactNode;
  openId: number | undefined;
  /** There is none to open: the list says why. */
  isEmpty: boolean;
  escalation: Escalation;
  detailRef: { readonly current: HTMLElement | null };
  /** The report that is open. */
  children: ReactNode;
};

/** The list with its queues on the left, the report on the right, and the edge between them. */
export function ReportDesk(props: Props) {
  const { openId, detailRef } = props;
  const width = useSyncExternalStore(listWidth().subscribe, listWidth().read);
  // Each report is read from its beginning, however far down the one before it was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another report is the reason
  useLayoutEffect(() => {
    detailRef.current?.scrollTo(0, 0);
  }, [openId]);
  return (
    <div className={classes.screen} style={{ '--list-width': `${width}px` } as CSSProperties}>
      <div className={classes.list}>
        <h1 className={classes.hidden}>{props.title}</h1>
        <ReportKinds />
        <QueueTabs queue={props.queue} counts={props.counts} onChange={props.onQueue} />
        {props.filters}
        {props.heading}
        {props.unexpected.length > 0 && (
          <div className={classes.unexpected}>
            {props.unexpected.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: such an entry may have no id
              <UnexpectedEntryButton key={index} entry={entry} />
            ))}
          </div>
        )}
        <TeamOffer />
        {props.list}
      </div>
      <WidthEdge
        label={i18n.t('List width')}
        width={width}
        narrowest={narrowestList}
        widest={widestList(width)}
        className={classes.edge}
        onResize={listWidth().write}
      />
      <div className={classes.detail}>
        <section
          ref={detailRef as Ref<HTMLElement>}
          className={detailClasses.detail}
          aria-label={i18n.t('Report')}
          // A region that scrolls has to be reachable by key.
          tabIndex={openId === undefined ? -1 : 0}
        >
          {openId === undefined ? !props.isEmpty && <NothingOpen /> : props.children}
        </section>
      </div>
      {props.escalation.opened && <EscalatePanel {...props.escalation} />}
    </div>
  );
}
