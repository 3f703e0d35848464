import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Code } from '@mantine/core';
import { IconUrgent } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Type } from 'typebox';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import type { ReportKind } from '../../../../shared/team/entries.ts';
import { currentEventQuery } from '../../../api/event-context.ts';
import { userQuery } from '../../../api/user.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { editedEvent } from '../../../components/event/event-versions.ts';
import { FoldedText } from '../../../components/FoldedText.tsx';
import { HazardText, VisibleText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { exactTime } from '../../../components/time.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { RoomChip, UserChip } from '../../../subjects/chips.tsx';
import { Fact, Facts } from '../../../subjects/DetailSection.tsx';
import { useStoreValue } from '../../../subscribers.ts';
import { useAccountName } from '../../../team/account-names.ts';
import { useMarks, useTeam } from '../../../team/use-team.ts';
import { serverName } from '../../../transport/server-name.ts';
import { shortId } from '../../../words/clip.ts';
import { Severity } from '../Severity.tsx';
import { MuteReporter } from './MuteReporter.tsx';
import classes from './ReportDetail.module.css';
import { ReporterAccuracy } from './ReporterAccuracy.tsx';

/** Reason, reporter and room; the rest is under "Details". */
export function ReportFacts({ report }: { report: EventReportDetail }) {
  return (
    <>
      <dl className={classes.facts}>
        <dt>{i18n.t('Reason')}</dt>
        <dd className={classes.why}>
          <ReportReason reason={report.reason} />
        </dd>
        <dt>{i18n.t('Reported by')}</dt>
        <dd className={classes.othersLine}>
          <UserChip
            kind={i18n.t('Reporter')}
            id={report.user_id}
            name={useAccountName(report.user_id, false)}
          />
          <ReporterAccuracy reporter={report.user_id} />
          <span className={classes.dim}>
            <RelativeTime timestamp={report.received_ts} long />
          </span>
          <Severity score={report.score} />
          <MuteReporter reporter={report.user_id} />
        </dd>
        <dt>{i18n.t('Room')}</dt>
        <dd>
          <RoomChip kind={i18n.t('Room')} id={report.room_id} name={report.name ?? report.canonical_alias} />
        </dd>
      </dl>
      <ReportDetails report={report} />
    </>
  );
}

/** Folded as the user left it on this device. */
function ReportDetails({ report }: { report: EventReportDetail }) {
  const opened = useConsole().deviceStorage.open('gatehouse.reports.details', Type.Boolean(), false);
  const isOpened = useStoreValue(opened, opened.read);
  const sent = report.event_json.origin_server_ts;
  return (
    <div className={classes.details}>
      <Disclosure label={i18n.t('Details')} opened={isOpened} onToggle={opened.write}>
        <Facts>
          {typeof sent === 'number' && <Fact name={i18n.t('Sent')}>{exactTime(sent)}</Fact>}
          <Fact name={i18n.t('Reported')}>{exactTime(report.received_ts)}</Fact>
          <Fact name={i18n.t('Score')}>
            {report.score === null
              ? i18n.t('Not scored')
              : i18n.t('{score} (-100: most offensive, 0: inoffensive)', { score: report.score })}
          </Fact>
          <Fact name={i18n.t('Event ID')}>
            <Code>
              <HazardText text={report.event_id} />
            </Code>
          </Fact>
        </Facts>
      </Disclosure>
    </div>
  );
}

/** The reason, or a note that there is none. */
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

/** Returns the sender's name in the room, or a cached display name. @param asks whether to load it */
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

/** Shows the escalation of a report, if any. */
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
