import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { JsonViewer } from '../../../components/json/JsonViewer.tsx';
import { EventIntegrity } from './EventIntegrity.tsx';

/** The event as the server stores it, and whether it is what its sender's server signed. */
export function EventSource({ report }: { report: EventReportDetail }) {
  return (
    <>
      <EventIntegrity report={report} />
      <JsonViewer value={report.event_json} label="event_json" />
    </>
  );
}
