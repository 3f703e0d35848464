import { Code } from '@mantine/core';
import type { EventReportDetail } from '../../../../shared/api/event-reports.ts';
import { byteSize } from '../../../components/byte-size.ts';
import { Folded } from '../../../components/Folded.tsx';
import { HazardText, VisibleText } from '../../../components/HazardText.tsx';
import { IdentityChip } from '../../../components/IdentityChip.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { exactTime } from '../../../components/time.ts';
import type { ReportSearch } from '../report-search.ts';
import { Severity } from '../Severity.tsx';
import classes from './ReportDetail.module.css';

type Props = { report: EventReportDetail; onFilter: (filters: Partial<ReportSearch>) => void };

/** Who, where, why and when. */
export function ReportFacts({ report, onFilter }: Props) {
  const { sender, user_id, room_id, reason } = report;
  const sent = report.event_json.origin_server_ts;
  return (
    <dl className={classes.facts}>
      <dt>Sender</dt>
      <dd>
        {sender === null ? (
          <span className={classes.none}>unknown: the server no longer has the event</span>
        ) : (
          <IdentityChip
            kind="Sender"
            id={sender}
            filters={[
              { label: 'Reports against this person', apply: () => onFilter({ sender }) },
              { label: 'Reports by this person', apply: () => onFilter({ reporter: sender }) },
            ]}
          />
        )}
      </dd>
      <dt>Room</dt>
      <dd>
        <IdentityChip
          kind="Room"
          id={room_id}
          name={report.name ?? report.canonical_alias}
          filters={[{ label: 'Reports from this room', apply: () => onFilter({ room: room_id }) }]}
        />
      </dd>
      <dt>Reported by</dt>
      <dd>
        <IdentityChip
          kind="Reporter"
          id={user_id}
          filters={[
            { label: 'Reports by this person', apply: () => onFilter({ reporter: user_id }) },
            { label: 'Reports against this person', apply: () => onFilter({ sender: user_id }) },
          ]}
        />
      </dd>
      <dt>Reason</dt>
      <dd>
        {reason ? (
          <Folded size={byteSize(new TextEncoder().encode(reason).length)}>
            <div className={classes.reason} dir="auto">
              <VisibleText text={reason} />
            </div>
          </Folded>
        ) : (
          <span className={classes.none}>No reason given</span>
        )}
      </dd>
      <dt>Score</dt>
      <dd>
        {report.score === null ? (
          <span className={classes.none}>not given</span>
        ) : (
          <Severity score={report.score} />
        )}
      </dd>
      <dt>Reported</dt>
      <dd>
        {exactTime(report.received_ts)}{' '}
        <span className={classes.dim}>
          (<RelativeTime timestamp={report.received_ts} long />)
        </span>
      </dd>
      {typeof sent === 'number' && (
        <>
          <dt>Sent</dt>
          <dd>
            {exactTime(sent)}{' '}
            <span className={classes.dim}>
              (<RelativeTime timestamp={sent} long />)
            </span>
          </dd>
        </>
      )}
      <dt>Event</dt>
      <dd>
        <Code>
          <HazardText text={report.event_id} />
        </Code>
      </dd>
    </dl>
  );
}
