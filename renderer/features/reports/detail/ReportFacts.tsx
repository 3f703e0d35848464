import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Code } from '@mantine/core';
import { IconUrgent } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { currentEventQuery } from '../../../api/event-context.ts';
import { userQuery } from '../../../api/user.ts';
import { FoldedText } from '../../../components/FoldedText.tsx';
import { HazardText, VisibleText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { exactTime } from '../../../components/time.ts';
import { useServer } from '../../../console-context.ts';
import { RoomChip, UserChip } from '../../../subjects/chips.tsx';
import type { ReportKind } from '../../../team/entries.ts';
import { useMarks, useTeam } from '../../../team/use-team.ts';
import { serverName } from '../../../transport/server-name.ts';
import { shortId } from '../../../words/clip.ts';
import { Severity } from '../Severity.tsx';
import { editedEvent } from './event-versions.ts';
import classes from './ReportDetail.module.css';

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
          <UserChip kind={i18n.t('Sender')} id={sender} name={senderName} />
        )}
      </dd>
      <dt>{i18n.t('Room')}</dt>
      <dd>
        <RoomChip kind={i18n.t('Room')} id={room_id} name={report.name ?? report.canonical_alias} />
      </dd>
      <dt>{i18n.t('Reported by')}</dt>
      <dd>
        <UserChip kind={i18n.t('Reporter')} id={user_id} />
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

/** What a reporter said, or that they said nothing. */
export function ReportReason({ reason }: { reason: string | null }) {
  if (!reason) return <span className={classes.none}>{i18n.t('No reason given')}</span>;
  return (
    <FoldedText text={reason} lines={5}>
      {(shown) => (
        <div className={classes.reason} dir="auto">
          <VisibleText text={shown} />
        </div>
      )}
    </FoldedText>
  );
}

/**
 * What the sender is called in the room, or in their profile where that is known already. The parts that show what
 * became of the event ask for the same.
 *
 * @param asks whether it may be asked for
 */
export function useSenderName(report: EventReportDetail, asks = false): string | undefined {
  const server = useServer();
  const sender = report.sender ?? '';
  const eventId = editedEvent(report.event_json) ?? report.event_id;
  const now = useQuery({
    ...currentEventQuery(server, report.room_id, eventId),
    enabled: asks && sender !== '',
  });
  const account = useQuery({ ...userQuery(server, sender), enabled: false });
  return now.data?.names.get(sender) ?? (account.data?.displayname || undefined);
}

/** Says who escalated a report, when and why; nothing where it isn't escalated. */
export function EscalatedBy({ reportId, of = 'report' }: { reportId: number; of?: ReportKind }) {
  const { connection } = useServer();
  const team = useTeam();
  const mark = useMarks(of).get(reportId);
  if (mark?.state !== 'escalated') return null;
  const reason = team
    .timeline({ kind: of, id: reportId })
    .find((entry) => entry.type === 'note' && entry.escalation && entry.by === mark.by);
  return (
    <aside className={classes.escalated}>
      <IconUrgent size={16} stroke={1.7} aria-hidden />
      <div>
        <strong>
          <Trans
            id="Escalated by <0/>, <1/>"
            components={{
              0: <HazardText text={shortId(mark.by, serverName(connection))} />,
              1: <RelativeTime timestamp={mark.at} long />,
            }}
          />
        </strong>
        {reason?.type === 'note' && (
          <FoldedText text={reason.text}>
            {(shown) => (
              <p dir="auto">
                <HazardText text={shown} />
              </p>
            )}
          </FoldedText>
        )}
      </div>
    </aside>
  );
}
