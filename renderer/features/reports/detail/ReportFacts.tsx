import { i18n } from '@lingui/core';
import { Code } from '@mantine/core';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { exactTime } from '../../../components/time.ts';
import { PersonChip, RoomChip } from '../../../subjects/chips.tsx';
import { Severity } from '../Severity.tsx';
import classes from './ReportDetail.module.css';
import { ReportReason } from './ReportReason.tsx';
import { useSenderName } from './sender-name.ts';

/** Who, where, why and when. */
export function ReportFacts({ report }: { report: EventReportDetail }) {
  const { sender, user_id, room_id } = report;
  const senderName = useSenderName(report);
  const sent = report.event_json.origin_server_ts;
  return (
    <dl className={classes.facts}>
      <dt>{i18n.t('Sender')}</dt>
      <dd>
        {sender === null ? (
          <span className={classes.none}>{i18n.t('Unknown (event unavailable)')}</span>
        ) : (
          <PersonChip kind={i18n.t('Sender')} id={sender} name={senderName} />
        )}
      </dd>
      <dt>{i18n.t('Room')}</dt>
      <dd>
        <RoomChip kind={i18n.t('Room')} id={room_id} name={report.name ?? report.canonical_alias} />
      </dd>
      <dt>{i18n.t('Reported by')}</dt>
      <dd>
        <PersonChip kind={i18n.t('Reporter')} id={user_id} />
      </dd>
      <dt>{i18n.t('Reason')}</dt>
      <dd>
        <ReportReason reason={report.reason} />
      </dd>
      <dt>{i18n.t('Score')}</dt>
      <dd>
        {report.score === null ? (
          <span className={classes.none}>{i18n.t('Not scored')}</span>
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
