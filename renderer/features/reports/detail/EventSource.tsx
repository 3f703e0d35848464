import { i18n } from '@lingui/core';
import type { EventReportDetail } from '../../../../shared/api/event-reports.ts';
import { JsonViewer } from '../../../components/json/JsonViewer.tsx';
import { EventIntegrity } from './EventIntegrity.tsx';
import classes from './ReportDetail.module.css';

/** The event as the server stores it, and whether it is what its sender's server signed. */
export function EventSource({ report }: { report: EventReportDetail }) {
  return (
    <section className={classes.section} aria-label={i18n.t('Event source')}>
      <h2 className={classes.heading}>{i18n.t('Event source')}</h2>
      <EventIntegrity report={report} />
      <JsonViewer value={report.event_json} label="event_json" />
    </section>
  );
}
