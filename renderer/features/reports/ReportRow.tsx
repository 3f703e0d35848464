import { i18n } from '@lingui/core';
import { IconMessage, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { reportsByEventQuery, reportsOnSenderQuery } from '../../api/reports/event-reports.ts';
import { reportsPerPage } from '../../api/reports/report-source.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { Hint } from '../../components/Hint.tsx';
import { DisplayName, maxNameLength } from '../../components/Identity.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { identifierWarning, nameWarning } from '../../components/text-hazards.ts';
import { Warning } from '../../components/Warning.tsx';
import { useServer } from '../../console-context.ts';
import { useAccountName } from '../../team/account-names.ts';
import { useMarks } from '../../team/use-team.ts';
import { Viewers } from '../../team/Viewers.tsx';
import { serverName } from '../../transport/server-name.ts';
import { ellipsize, shortId, truncate } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import classes from './desk/Row.module.css';
import { firstLine, RowFrame, type RowProps } from './desk/Row.tsx';
import { Excerpt, FoundInMessage, useFound } from './SearchedWords.tsx';
import { Severity } from './Severity.tsx';

type OtherReports = {
  /** Whether the numbers include open reports only; with many reports, only totals are known. */
  areOpen: boolean;
  onSender: number | undefined;
  onEvent: { count: number; isComplete: boolean } | undefined;
};

/** Returns the numbers of other reports on the same sender and event, once loaded. */
function useOtherReports({ id, sender, room_id, event_id }: EventReportItem): OtherReports {
  const server = useServer();
  const marks = useMarks();
  const { data: ofSender } = useQuery({
    ...reportsOnSenderQuery(server, sender ?? ''),
    enabled: sender !== null,
  });
  const total = ofSender?.total ?? 0;
  const { data: byEvent } = useQuery({
    ...reportsByEventQuery(server, sender ?? '', room_id),
    enabled: total > reportsPerPage,
  });

  if (!ofSender) return { areOpen: true, onSender: undefined, onEvent: undefined };
  if (total > reportsPerPage) {
    const count = Math.max(0, (byEvent?.counts[event_id] ?? 0) - 1);
    const onEvent = byEvent && { count, isComplete: byEvent.isComplete };
    return { areOpen: false, onSender: Math.max(0, total - 1), onEvent };
  }
  const open = ofSender.event_reports.filter(
    (other) => other.id !== id && marks.get(other.id)?.state !== 'reviewed',
  );
  const onEvent = open.filter((other) => other.event_id === event_id).length;
  return { areOpen: true, onSender: open.length, onEvent: { count: onEvent, isComplete: true } };
}

/** Renders the numbers of other open reports; nothing while loading. */
function OtherCounts({ report }: { report: EventReportItem }) {
  const { areOpen, onSender, onEvent } = useOtherReports(report);
  return (
    <span className={classes.counters}>
      {onSender !== undefined && onSender > 0 && (
        <Hint
          label={
            areOpen
              ? i18n.t(
                  '{count, plural, one {# more open report} other {# more open reports}} against this sender',
                  { count: onSender },
                )
              : i18n.t(
                  '{count, plural, one {# more report} other {# more reports}} against this sender (any status)',
                  { count: onSender },
                )
          }
        >
          <span className={classes.others} data-others="sender">
            <IconUser size={11} aria-hidden />
            <bdi dir="ltr">+{number(onSender)}</bdi>
          </span>
        </Hint>
      )}
      {onEvent !== undefined && onEvent.count > 0 && (
        <Hint
          label={
            areOpen
              ? i18n.t(
                  '{count, plural, one {# more open report} other {# more open reports}} on this event',
                  { count: onEvent.count },
                )
              : onEvent.isComplete
                ? i18n.t(
                    '{count, plural, one {# more report} other {# more reports}} on this event (any status)',
                    { count: onEvent.count },
                  )
                : i18n.t(
                    'At least {count, plural, one {# more report} other {# more reports}} on this event (any status)',
                    { count: onEvent.count },
                  )
          }
        >
          <span className={classes.others} data-others="event">
            <IconMessage size={11} aria-hidden />
            <bdi dir="ltr">
              {onEvent.isComplete ? '+' : '≥'}
              {number(onEvent.count)}
            </bdi>
          </span>
        </Hint>
      )}
    </span>
  );
}

/** Enough to decide whether to open it. */
export const ReportRow = memo(function ReportRow(props: RowProps<EventReportItem>) {
  return (
    <RowFrame {...props}>
      <Summary report={props.report} counted={props.counted} />
    </RowFrame>
  );
});

/** Renders the sender, the reason, then the room and the reporter. Independent of the row's state. */
const Summary = memo(function Summary({
  report,
  counted,
}: Pick<RowProps<EventReportItem>, 'report' | 'counted'>) {
  const room = report.name ?? report.canonical_alias ?? report.room_id;
  const roomWarning = nameWarning(room);
  const reason = firstLine(report.reason);
  const { inReason, inMessage } = useFound(report);
  return (
    <span className={classes.body}>
      <span className={classes.line}>
        {report.sender === null ? (
          <em className={classes.subject}>{i18n.t('Unknown sender')}</em>
        ) : (
          <Person id={report.sender} asks={counted} />
        )}
        {counted && <OtherCounts report={report} />}
        <Viewers reportId={report.id} />
        <span className={classes.when}>
          <RelativeTime timestamp={report.received_ts} />
        </span>
      </span>
      <span className={classes.line}>
        <span
          className={classes.reason}
          data-empty={reason === undefined || undefined}
          data-beside={inMessage !== undefined || undefined}
          title={reason ? truncate(reason, 1000) : undefined}
        >
          {inReason ? (
            <Excerpt pieces={inReason} />
          ) : (
            <HazardText text={reason ?? i18n.t('No reason given')} />
          )}
        </span>
        {inMessage && <FoundInMessage pieces={inMessage} />}
        <Severity score={report.score} />
      </span>
      <span className={classes.origin}>
        <span className={classes.room} title={room}>
          <HazardText text={room} />
          {roomWarning && <Warning reason={roomWarning} />}
        </span>
        <span>{i18n.t('reported by')}</span>
        <Person id={report.user_id} asks={counted} isSecond />
      </span>
    </span>
  );
});

/** Renders a user ID, without the server name if that is this server. */
const Who = memo(function Who({ id }: { id: string }) {
  const { connection } = useServer();
  const warning = identifierWarning(id);
  return (
    <span className={classes.who} title={id}>
      <HazardText text={shortId(id, serverName(connection))} />
      {warning && <Warning reason={warning} />}
    </span>
  );
});

type PersonProps = {
  id: string;
  /** Whether to load the display name. */
  asks?: boolean;
  /** In the smaller second line of a row. */
  isSecond?: boolean;
};

/** Renders a user by name, if it's loaded, and ID, in the line that they are part of. */
export function Person({ id, asks = true, isSecond = false }: PersonProps) {
  const name = useAccountName(id, asks);
  return (
    <>
      <Avatar id={id} name={name} size={isSecond ? 15 : 18} />
      <span
        className={isSecond ? classes.secondPerson : classes.person}
        data-accused={!isSecond || undefined}
        title={id}
      >
        {name && (
          <span className={classes.called}>
            <DisplayName name={ellipsize(name, maxNameLength)} />
          </span>
        )}
        <Who id={id} />
      </span>
    </>
  );
}
