import { i18n } from '@lingui/core';
import { IconCheck } from '@tabler/icons-react';
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
import { OtherCounts } from './OtherCounts.tsx';
import classes from './ReportRow.module.css';
import { Severity } from './Severity.tsx';
import { StateSign } from './StateSign.tsx';

export const rowHeight = 74;

type Props = {
  report: EventReportItem;
  position: number;
  total: number;
  current: boolean;
  selected: boolean;
  /** Undefined while the marks aren't known. */
  state: ReportState | undefined;
  /** Where it is drawn, in pixels from the rows' common beginning. */
  start: number;
  /** Whether the server is asked for how many other reports there are: not while rows only scroll by. */
  counted: boolean;
  onPress: (reportId: number, event: MouseEvent) => void;
  onToggle: (reportId: number) => void;
};

/** Enough to decide whether to open it. */
export const ReportRow = memo(function ReportRow(props: Props) {
  const { report, current, selected, state } = props;
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
        {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; the option says whether it is selected */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the listbox has a key for it */}
        <span
          className={classes.checkbox}
          data-checked={selected || undefined}
          title={i18n.t('Select')}
          onClick={(event) => {
            event.stopPropagation();
            if (event.shiftKey) props.onPress(report.id, event);
            else props.onToggle(report.id);
          }}
        >
          {selected && <IconCheck size={12} stroke={3} aria-hidden />}
        </span>
        <StateSign state={state} />
      </span>
      <span className={classes.body}>
        <span className={classes.line}>
          <span className={classes.place}>
            <HazardText text={place} />
            {placeWarning && <Warning reason={placeWarning} />}
          </span>
          {props.counted && <OtherCounts report={report} />}
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
