import { i18n } from '@lingui/core';
import { IconMessage, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo, type ReactNode } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { isLocal } from '../../actions/items.ts';
import { reportedAccountQuery, reportsByEventQuery, reportsOnSenderQuery } from '../../api/event-reports.ts';
import { offeredQuery } from '../../api/offered.ts';
import { reportsPerPage } from '../../api/report-source.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { Hint } from '../../components/Hint.tsx';
import { DisplayName, maxNameLength } from '../../components/Identity.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { identifierWarning, nameWarning } from '../../components/text-hazards.ts';
import { Warning } from '../../components/Warning.tsx';
import { useServer } from '../../console-context.ts';
import { Lookers } from '../../team/Lookers.tsx';
import { useMarks } from '../../team/use-team.ts';
import { serverName } from '../../transport/server-name.ts';
import { ellipsize, shortId, truncate } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import classes from './desk/Row.module.css';
import { firstLine, RowFrame, type RowProps } from './desk/Row.tsx';
import { Severity } from './Severity.tsx';
import { Excerpt, FoundInMessage, useFound } from './SoughtWords.tsx';

type OtherReports = {
  /** Whether those alone are counted that nobody has reviewed: of very many, only how many there are is known. */
  areOpen: boolean;
  onSender: number | undefined;
  onEvent: { count: number; isComplete: boolean } | undefined;
};

/** How many other reports there are against the same sender and on the same event, once that is known. */
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

/** Whether this sender or this event has other open reports; nothing while that isn't known. */
function OtherCounts({ report }: { report: EventReportItem }) {
  const { areOpen, onSender, onEvent } = useOtherReports(report);
  return (
    <>
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
    </>
  );
}

/** Enough to decide whether to open it. */
export const ReportRow = memo(function ReportRow(props: RowProps<EventReportItem>) {
  return (
    <RowFrame {...props}>
      <Told report={props.report} counted={props.counted} />
    </RowFrame>
  );
});

type ToldProps = Pick<RowProps<EventReportItem>, 'report' | 'counted'>;

/** What is told of a report is the same whether it is open, selected or reviewed. */
const Told = memo(function Told({ report, counted }: ToldProps) {
  const place = report.name ?? report.canonical_alias ?? report.room_id;
  const placeWarning = nameWarning(place);
  const reason = firstLine(report.reason);
  const { inReason, inMessage } = useFound(report);
  return (
    <span className={classes.body}>
      <span className={classes.line}>
        <span className={classes.place}>
          <HazardText text={place} />
          {placeWarning && <Warning reason={placeWarning} />}
        </span>
        {counted && <OtherCounts report={report} />}
        <Lookers reportId={report.id} />
        <span className={classes.when}>
          <RelativeTime timestamp={report.received_ts} />
        </span>
      </span>
      <span className={classes.line}>
        <span className={classes.people}>
          <Who id={report.user_id} />
          <span className={classes.verb}>{i18n.t('reported')}</span>
          {report.sender === null ? (
            <em className={classes.who}>{i18n.t('unknown sender')}</em>
          ) : (
            <Who id={report.sender} accused>
              <NameOf id={report.sender} asks={counted} />
            </Who>
          )}
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
    </span>
  );
});

type WhoProps = { id: string; accused?: boolean; children?: ReactNode };

export function Who({ id, accused, children }: WhoProps) {
  const { connection } = useServer();
  const warning = identifierWarning(id);
  return (
    <span className={classes.who} data-accused={accused} title={id}>
      <HazardText text={shortId(id, serverName(connection))} />
      {warning && <Warning reason={warning} />}
      {children}
    </span>
  );
}

/** What an account of this server is called, behind its id: others are asked for by nobody. */
function NameOf({ id, asks }: { id: string; asks: boolean }) {
  const server = useServer();
  const { data: offered } = useQuery({ ...offeredQuery(server), enabled: false });
  const { data: account } = useQuery({
    ...reportedAccountQuery(server, id),
    enabled: asks && isLocal(server, id) && offered?.has('users') === true,
  });
  return (
    account?.displayname && (
      <span className={classes.called}>
        <DisplayName name={ellipsize(account.displayname, maxNameLength)} />
      </span>
    )
  );
}
