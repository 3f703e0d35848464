import { i18n } from '@lingui/core';
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
      <dt>{i18n.t('Sender')}</dt>
      <dd>
        {sender === null ? (
          <span className={classes.none}>{i18n.t('unknown: the server no longer has the event')}</span>
        ) : (
          <IdentityChip
            kind={i18n.t('Sender')}
            id={sender}
            filters={[
              { label: i18n.t('Reports against this person'), apply: () => onFilter({ sender }) },
              { label: i18n.t('Reports by this person'), apply: () => onFilter({ reporter: sender }) },
            ]}
          />
        )}
      </dd>
      <dt>{i18n.t('Room')}</dt>
      <dd>
        <IdentityChip
          kind={i18n.t('Room')}
          id={room_id}
          name={report.name ?? report.canonical_alias}
          filters={[{ label: i18n.t('Reports from this room'), apply: () => onFilter({ room: room_id }) }]}
        />
      </dd>
      <dt>{i18n.t('Reported by')}</dt>
      <dd>
        <IdentityChip
          kind={i18n.t('Reporter')}
          id={user_id}
          filters={[
            { label: i18n.t('Reports by this person'), apply: () => onFilter({ reporter: user_id }) },
            { label: i18n.t('Reports against this person'), apply: () => onFilter({ sender: user_id }) },
          ]}
        />
      </dd>
      <dt>{i18n.t('Reason')}</dt>
      <dd>
        {reason ? (
          <Folded size={byteSize(new TextEncoder().encode(reason).length)}>
            <div className={classes.reason} dir="auto">
              <VisibleText text={reason} />
            </div>
          </Folded>
        ) : (
          <span className={classes.none}>{i18n.t('No reason given')}</span>
        )}
      </dd>
      <dt>{i18n.t('Score')}</dt>
      <dd>
        {report.score === null ? (
          <span className={classes.none}>{i18n.t('not given')}</span>
        ) : (
          <Severity score={report.score} />
        )}
      </dd>
      <dt>{i18n.t('Reported')}</dt>
      <dd>
        {exactTime(report.received_ts)}{' '}
        <span className={classes.dim}>
          (<RelativeTime timestamp={report.received_ts} long />)
        </span>
      </dd>
      {typeof sent === 'number' && (
        <>
          <dt>{i18n.t('Sent')}</dt>
          <dd>
            {exactTime(sent)}{' '}
            <span className={classes.dim}>
              (<RelativeTime timestamp={sent} long />)
            </span>
          </dd>
        </>
      )}
      <dt>{i18n.t('Event')}</dt>
      <dd>
        <Code>
          <HazardText text={report.event_id} />
        </Code>
      </dd>
    </dl>
  );
}
