import { i18n } from '@lingui/core';
import { IconTrashX } from '@tabler/icons-react';
import type { DeletedReport, ReportKind } from '../../../../shared/team/entries.ts';
import { findDeletion } from '../../../../shared/team/fold.ts';
import { actionLabel } from '../../../actions/action-words.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { StateMessage } from '../../../components/LoadStates.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { exactTime } from '../../../components/time.ts';
import { RoomChip, UserChip } from '../../../subjects/chips.tsx';
import { Fact, Facts } from '../../../subjects/DetailSection.tsx';
import { Timeline } from '../../../team/Timeline.tsx';
import { useTeam } from '../../../team/use-team.ts';
import classes from './ReportDetail.module.css';
import { ReportReason } from './ReportFacts.tsx';

type Props = { reportId: number; of?: ReportKind };

/** A deleted report, from the log. */
export function ReportGone({ reportId, of = 'report' }: Props) {
  const subject = { kind: of, id: reportId };
  const deletion = findDeletion(useTeam().timeline(subject));
  if (!deletion) {
    return (
      <StateMessage
        icon={<IconTrashX size={24} stroke={1.5} />}
        title={i18n.t('Report {reportId} not found', { reportId })}
        description={i18n.t('Deleted, or belongs to another server.')}
      />
    );
  }
  const report = deletion.deleted?.find(({ id }) => id === reportId);
  return (
    <>
      <div className={classes.toolbar}>
        <h1 className={classes.number}>{i18n.t('Report {id}', { id: reportId })}</h1>
      </div>
      <div className={classes.content}>
        <div className={classes.main}>
          <p role="status">
            <HazardText text={i18n.t('Deleted by {who}', { who: deletion.by })} />{' '}
            <RelativeTime timestamp={deletion.at} long />
          </p>
          {report && <DeletedFacts report={report} />}
        </div>
        <div className={classes.side}>
          <Timeline subject={subject} actionLabel={actionLabel} />
        </div>
      </div>
    </>
  );
}

function DeletedFacts({ report: { userId, roomId, by, at, reason } }: { report: DeletedReport }) {
  return (
    <Facts>
      <Fact name={i18n.t('User')}>{userId && <UserChip kind={i18n.t('User')} id={userId} />}</Fact>
      <Fact name={i18n.t('Room')}>{roomId && <RoomChip kind={i18n.t('Room')} id={roomId} />}</Fact>
      <Fact name={i18n.t('Reported by')}>
        <UserChip kind={i18n.t('Reporter')} id={by} />
      </Fact>
      <Fact name={i18n.t('Reason')}>{reason && <ReportReason reason={reason} />}</Fact>
      <Fact name={i18n.t('Reported')}>{exactTime(at)}</Fact>
    </Facts>
  );
}
