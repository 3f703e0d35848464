import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { FiledReport } from '../../../api/reports/filed-reports.ts';
import { roomQuery } from '../../../api/room.ts';
import { Avatar } from '../../../components/Avatar.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { nameWarning } from '../../../components/text-hazards.ts';
import { Warning } from '../../../components/Warning.tsx';
import { useServer } from '../../../console-context.ts';
import { Viewers } from '../../../team/Viewers.tsx';
import { truncate } from '../../../words/clip.ts';
import classes from '../desk/Row.module.css';
import { firstLine, RowFrame, type RowProps } from '../desk/Row.tsx';
import { Person } from '../ReportRow.tsx';

/** Renders the reported user or room, the reason, then the reporter. */
export const FiledRow = memo(function FiledRow(props: RowProps<FiledReport>) {
  const { id, about, by, reason, received_ts } = props.report;
  const isUser = about.startsWith('@');
  const line = firstLine(reason);
  return (
    <RowFrame {...props}>
      <span className={classes.body}>
        <span className={classes.line}>
          {isUser ? (
            <Person id={about} asks={props.counted} />
          ) : (
            <span className={classes.subject} title={about}>
              <RoomName roomId={about} isLoaded={props.counted} />
            </span>
          )}
          <Viewers reportId={id} of={isUser ? 'user_report' : 'room_report'} />
          <span className={classes.when}>
            <RelativeTime timestamp={received_ts} />
          </span>
        </span>
        <span className={classes.line}>
          <span
            className={classes.reason}
            data-empty={line === undefined || undefined}
            title={truncate(reason, 1000)}
          >
            <HazardText text={line ?? i18n.t('No reason given')} />
          </span>
        </span>
        <span className={classes.origin}>
          <span>{i18n.t('Report {id}, reported by', { id })}</span>
          <Person id={by} asks={props.counted} isSecond />
        </span>
      </span>
    </RowFrame>
  );
});

/** Shows a room's name if the server knows it. */
function RoomName({ roomId, isLoaded }: { roomId: string; isLoaded: boolean }) {
  const { data } = useQuery({ ...roomQuery(useServer(), roomId), enabled: isLoaded });
  const name = data?.name || data?.canonical_alias || roomId;
  const warning = nameWarning(name);
  return (
    <>
      <Avatar id={roomId} name={name === roomId ? undefined : name} size={18} />
      <span className={classes.called}>
        <HazardText text={name} />
        {warning && <Warning reason={warning} />}
      </span>
    </>
  );
}
