import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { FiledReport } from '../../../api/filed-reports.ts';
import { roomQuery } from '../../../api/room.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { nameWarning } from '../../../components/text-hazards.ts';
import { Warning } from '../../../components/Warning.tsx';
import { useServer } from '../../../console-context.ts';
import { Lookers } from '../../../team/Lookers.tsx';
import { truncate } from '../../../words/clip.ts';
import classes from '../desk/Row.module.css';
import { firstLine, RowFrame, type RowProps } from '../desk/Row.tsx';
import { Who } from '../ReportRow.tsx';

/** Whom or what it is about, who filed it, and why. */
export const FiledRow = memo(function FiledRow(props: RowProps<FiledReport>) {
  const { id, about, by, reason, received_ts } = props.report;
  const isUser = about.startsWith('@');
  const line = firstLine(reason);
  return (
    <RowFrame {...props}>
      <span className={classes.body}>
        <span className={classes.line}>
          <span className={classes.place} title={about}>
            {isUser ? <Who id={about} /> : <RoomName roomId={about} asked={props.counted} />}
          </span>
          <Lookers reportId={id} of={about.startsWith('@') ? 'user_report' : 'room_report'} />
          <span className={classes.when}>
            <RelativeTime timestamp={received_ts} />
          </span>
        </span>
        <span className={classes.line}>
          <span className={classes.people}>
            <Who id={by} />
            <span className={classes.verb}>
              {isUser
                ? i18n.t('reported this user (report {id})', { id })
                : i18n.t('reported this (report {id})', { id })}
            </span>
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
      </span>
    </RowFrame>
  );
});

/** By its name, where the server knows one: a report holds only its identifier. */
function RoomName({ roomId, asked }: { roomId: string; asked: boolean }) {
  const { data } = useQuery({ ...roomQuery(useServer(), roomId), enabled: asked });
  const name = data?.name || data?.canonical_alias || roomId;
  const warning = nameWarning(name);
  return (
    <>
      <HazardText text={name} />
      {warning && <Warning reason={warning} />}
    </>
  );
}
