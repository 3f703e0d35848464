import { i18n } from '@lingui/core';
import { Checkbox, Tooltip } from '@mantine/core';
import { IconMessage, IconUrgent, IconUser } from '@tabler/icons-react';
import { type MouseEvent, memo } from 'react';
import type { EventReportItem } from '../../../shared/api/event-reports.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { serverName } from '../../components/server-name.ts';
import { shortId } from '../../components/short-id.ts';
import { identifierWarning, nameWarning } from '../../components/text-hazards.ts';
import { Warning } from '../../components/Warning.tsx';
import { useServer } from '../../console-context.ts';
import type { ReportState } from '../../team/entries.ts';
import { Lookers } from '../../team/Lookers.tsx';
import { number } from '../../words/format.ts';
import classes from './ReportRow.module.css';
import { useOtherReports } from './rows/use-other-reports.ts';
import { Severity } from './Severity.tsx';

export const rowHeight = 74;

type Props = {
  report: EventReportItem;
  position: number;
  total: number;
  current: boolean;
  selected: boolean;
  state: ReportState;
  /** Where it is drawn, in pixels from the list's beginning. */
  start: number;
  onPress: (reportId: number, event: MouseEvent) => void;
  onToggle: (reportId: number) => void;
};

/** Enough to decide whether to open it. */
export const ReportRow = memo(function ReportRow(props: Props) {
  const { report, current, selected, state } = props;
  const others = useOtherReports(report);
  const place = report.name ?? report.canonical_alias ?? report.room_id;
  const placeWarning = nameWarning(place);
  const reason = firstLine(report.reason);
  return (
    // The listbox has the focus and the keys; an option is what it points at.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the listbox
    <div
      role="option"
      tabIndex={-1}
      id={rowId(report.id)}
      className={classes.row}
      style={{ transform: `translateY(${props.start}px)` }}
      aria-selected={selected}
      aria-current={current || undefined}
      aria-posinset={props.position}
      aria-setsize={props.total}
      data-state={state}
      onClick={(event) => props.onPress(report.id, event)}
    >
      <span className={classes.mark}>
        <Checkbox.Indicator
          size="xs"
          className={classes.checkbox}
          checked={selected}
          title={i18n.t('Select')}
          onClick={(event) => {
            event.stopPropagation();
            if (event.shiftKey) props.onPress(report.id, event);
            else props.onToggle(report.id);
          }}
        />
        {state === 'escalated' ? (
          <IconUrgent size={15} className={classes.escalated} aria-label={i18n.t('Escalated')} role="img" />
        ) : (
          state === 'open' && (
            <span className={classes.unread} role="img" aria-label={i18n.t('Not reviewed')} />
          )
        )}
      </span>
      <span className={classes.body}>
        <span className={classes.line}>
          <span className={classes.place}>
            <HazardText text={place} />
            {placeWarning && <Warning reason={placeWarning} />}
          </span>
          {others.onSender !== undefined && others.onSender > 0 && (
            <Tooltip
              label={i18n.t(
                '{count, plural, one {# more report against this sender} other {# more reports against this sender}}',
                { count: others.onSender },
              )}
            >
              <span className={classes.others} data-others="sender">
                <IconUser size={11} aria-hidden />+{number(others.onSender)}
              </span>
            </Tooltip>
          )}
          {others.onEvent !== undefined && others.onEvent.count > 0 && (
            <Tooltip
              label={
                others.onEvent.isComplete
                  ? i18n.t(
                      '{count, plural, one {# more report on this event} other {# more reports on this event}}',
                      { count: others.onEvent.count },
                    )
                  : i18n.t(
                      '{count, plural, one {At least # more report on this event} other {At least # more reports on this event}}',
                      { count: others.onEvent.count },
                    )
              }
            >
              <span className={classes.others} data-others="event">
                <IconMessage size={11} aria-hidden />
                {others.onEvent.isComplete ? '+' : '≥'}
                {number(others.onEvent.count)}
              </span>
            </Tooltip>
          )}
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
              <Who id={report.sender} accused />
            )}
          </span>
        </span>
        <span className={classes.line}>
          <span
            className={classes.reason}
            data-empty={reason === undefined || undefined}
            title={reason?.slice(0, 1000)}
          >
            <HazardText text={reason ?? i18n.t('No reason given')} />
          </span>
          <Severity score={report.score} />
        </span>
      </span>
    </div>
  );
});

export const rowId = (reportId: number) => `report-${reportId}`;

/** Enough of a reason for one line; the rest would only slow the list down. */
function firstLine(reason: string | null): string | undefined {
  const line = reason?.trimStart().split('\n', 1)[0]?.slice(0, 300);
  return line || undefined;
}

function Who({ id, accused }: { id: string; accused?: boolean }) {
  const { connection } = useServer();
  const warning = identifierWarning(id);
  return (
    <span className={classes.who} data-accused={accused} title={id}>
      <HazardText text={shortId(id, serverName(connection))} />
      {warning && <Warning reason={warning} />}
    </span>
  );
}
