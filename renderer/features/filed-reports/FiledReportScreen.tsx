import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { nameOfAction } from '../../actions/action-name.ts';
import { type FiledKind, type FiledReport, filedReportQuery } from '../../api/filed-reports.ts';
import { FailureMessage } from '../../components/FailureMessage.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { SubjectPage } from '../../components/SubjectPage.tsx';
import { useServer } from '../../console-context.ts';
import { PersonChip, RoomChip } from '../../subjects/chips.tsx';
import { DetailPart } from '../../subjects/DetailPart.tsx';
import { Fact, Facts } from '../../subjects/Facts.tsx';
import { Timeline } from '../../team/Timeline.tsx';
import { NotFound } from '../../transport/refusal.ts';
import classes from './FiledReports.module.css';

export function UserReportScreen() {
  const { reportId } = useParams({ from: '/frame/server/reports/users/$reportId' });
  return <FiledReportScreen kind="user" id={Number(reportId)} />;
}

export function RoomReportScreen() {
  const { reportId } = useParams({ from: '/frame/server/reports/rooms/$reportId' });
  return <FiledReportScreen kind="room" id={Number(reportId)} />;
}

/** One report on a user or on a room: what was said, by whom, and what can be done. */
function FiledReportScreen({ kind, id }: { kind: FiledKind; id: number }) {
  const query = useQuery(filedReportQuery(useServer(), kind, id));
  const navigate = useNavigate();
  if (query.isPending) return <LoadingNote text={i18n.t('Loading the report…')} />;
  if (!query.data) {
    return (
      <FailureMessage
        isScreen
        title={i18n.t('The report could not be loaded')}
        error={query.error}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  const { about, reason } = query.data;
  return (
    <SubjectPage
      name={i18n.t('Report {id}', { id })}
      id={about}
      badges={[]}
      actions={
        <ActionBar
          on={{
            filed: [{ of: kind, reportId: id, about }],
            ...(kind === 'user' ? { users: [{ userId: about }] } : { rooms: [{ roomId: about }] }),
          }}
          onActed={async () => {
            const { error } = await query.refetch();
            if (!(error instanceof NotFound)) return;
            navigate({
              to: kind === 'user' ? '/reports/users' : '/reports/rooms',
              search: ({ server }) => ({ server }),
            });
          }}
        />
      }
      history={
        <Timeline
          subject={kind === 'user' ? { kind, userId: about } : { kind, roomId: about }}
          nameOfAction={nameOfAction}
        />
      }
    >
      <DetailPart title={i18n.t('What was said')} height={6}>
        <p className={classes.reason}>
          {reason === '' ? i18n.t('No reason given') : <HazardText text={reason} />}
        </p>
        <WhoAndWhen kind={kind} report={query.data} />
      </DetailPart>
    </SubjectPage>
  );
}

function WhoAndWhen({ kind, report }: { kind: FiledKind; report: FiledReport }) {
  return (
    <Facts>
      <Fact name={i18n.t('About')}>
        {kind === 'user' ? (
          <PersonChip kind={i18n.t('Reported user')} id={report.about} />
        ) : (
          <RoomChip kind={i18n.t('Reported room')} id={report.about} />
        )}
      </Fact>
      <Fact name={i18n.t('Filed by')}>
        <PersonChip kind={i18n.t('Reporter')} id={report.by} />
      </Fact>
      <Fact name={i18n.t('Filed')}>
        <RelativeTime timestamp={report.receivedTs} long />
      </Fact>
    </Facts>
  );
}
