import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { memo, type ReactNode } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { isLocal } from '../../actions/local-users.ts';
import { reportedAccountQuery } from '../../api/event-reports.ts';
import { offeredQuery } from '../../api/offered.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { GivenName, mostOfName } from '../../components/Identity.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { shortId } from '../../components/short-id.ts';
import { identifierWarning, nameWarning } from '../../components/text-hazards.ts';
import { Warning } from '../../components/Warning.tsx';
import { useServer } from '../../console-context.ts';
import { Lookers } from '../../team/Lookers.tsx';
import { serverName } from '../../transport/server-name.ts';
import { beginning, clipped } from '../../words/beginning.ts';
import classes from './desk/Row.module.css';
import { RowFrame } from './desk/RowFrame.tsx';
import { firstLine, type RowProps } from './desk/row.ts';
import { OtherCounts } from './OtherCounts.tsx';
import { Severity } from './Severity.tsx';
import { Excerpt, FoundInMessage, useFound } from './SoughtWords.tsx';

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
          title={reason ? beginning(reason, 1000) : undefined}
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
        <GivenName name={clipped(account.displayname, mostOfName)} />
      </span>
    )
  );
}
