import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { actionLabel } from '../../../actions/action-words.ts';
import { isLocal } from '../../../actions/items.ts';
import { isExpected } from '../../../api/lenient.ts';
import { pageQuery } from '../../../api/paging.ts';
import { eventReportTotalQuery } from '../../../api/reports/event-reports.ts';
import {
  type FiledKind,
  type FiledReport,
  filedReportList,
  filedReportTotalQuery,
} from '../../../api/reports/filed-reports.ts';
import { isReadable } from '../../../api/reports/listed-reports.ts';
import { roomQuery } from '../../../api/room.ts';
import { userQuery } from '../../../api/user.ts';
import { RemoteImage } from '../../../components/event/RemoteImage.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useServer } from '../../../console-context.ts';
import { RoomChip, UserChip } from '../../../subjects/chips.tsx';
import { DetailSection, Fact, Facts } from '../../../subjects/DetailSection.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { RoomDetails } from '../../../subjects/RoomDetails.tsx';
import { UserDetails } from '../../../subjects/UserDetails.tsx';
import { useAccountName } from '../../../team/account-names.ts';
import { Timeline } from '../../../team/Timeline.tsx';
import { truncate } from '../../../words/clip.ts';
import { MuteReporter } from '../detail/MuteReporter.tsx';
import classes from '../detail/ReportDetail.module.css';
import { ReporterAccuracy } from '../detail/ReporterAccuracy.tsx';
import { EscalatedBy, ReportReason } from '../detail/ReportFacts.tsx';
import { subjectsOfFiled } from '../subjects-of-report.ts';

/** A user or room report: its subject, the reason, and the team's activity. */
export function ReportContent({ kind, report }: { kind: FiledKind; report: FiledReport }) {
  const { id, about, by, reason, received_ts } = report;
  return (
    <div className={classes.content}>
      <div className={classes.main}>
        <EscalatedBy reportId={id} of={`${kind}_report`} />
        <FiledSubject kind={kind} id={about} />
        <Facts>
          <Fact name={i18n.t('Reason')}>
            <div className={classes.why}>
              <ReportReason reason={reason} />
            </div>
          </Fact>
          <Fact name={i18n.t('Reported by')}>
            <span className={classes.othersLine}>
              <UserChip kind={i18n.t('Reporter')} id={by} name={useAccountName(by, false)} />
              <ReporterAccuracy reporter={by} />
              <span className={classes.dim}>
                <RelativeTime timestamp={received_ts} long />
              </span>
              <MuteReporter reporter={by} />
            </span>
          </Fact>
        </Facts>
      </div>
      <div className={classes.side}>
        <Timeline
          subject={{ kind: `${kind}_report`, id }}
          related={subjectsOfFiled(kind, report)}
          actionLabel={actionLabel}
          reports={[{ id, by, at: received_ts, reason }]}
        />
        {kind === 'user' ? (
          <DetailSection title={i18n.t('Reported user')} height={15}>
            <UserDetails userId={about} />
          </DetailSection>
        ) : (
          <DetailSection title={i18n.t('Reported room')} height={20}>
            <RoomDetails roomId={about} sender={null} />
          </DetailSection>
        )}
      </div>
      <div className={classes.rest}>
        <OthersAbout kind={kind} report={report} />
      </div>
    </div>
  );
}

const maxListed = 5;

/** Other reports on the same user or room. */
function OthersAbout({ kind, report }: { kind: FiledKind; report: FiledReport }) {
  const server = useServer();
  const query = useQuery(pageQuery(filedReportList(server, kind, { about: report.about, dir: 'b' }), 0));
  const title = kind === 'user' ? i18n.t('Other user reports') : i18n.t('Other room reports');
  return (
    <section className={classes.section} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <Loaded query={query} loading={i18n.t('Loading reports…')} notFound={i18n.t('None')}>
        {({ rows, total }) => {
          const others = rows
            .filter(isExpected)
            .filter((other) => isReadable(other) && other.id !== report.id);
          if (others.length === 0) return <span className={classes.dim}>{i18n.t('None')}</span>;
          return (
            <>
              <ul className={classes.others}>
                {others.slice(0, maxListed).map((other) => (
                  <li key={other.id}>
                    <Link
                      to={kind === 'user' ? '/reports/users/$reportId' : '/reports/rooms/$reportId'}
                      params={{ reportId: String(other.id) }}
                      search={true}
                      className={classes.link}
                    >
                      <HazardText text={other.by} />:{' '}
                      <HazardText text={truncate(other.reason, 160) || i18n.t('no reason')} />
                    </Link>{' '}
                    <span className={classes.dim}>
                      <RelativeTime timestamp={other.received_ts} />
                    </span>
                  </li>
                ))}
              </ul>
              {total - 1 > maxListed && (
                <Link to="." search={(now) => ({ ...now, about: report.about })} className={classes.link}>
                  {i18n.t('Show all {count}', { count: total })}
                </Link>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** Shows the reported user or room: name, avatar on request, age, and the number of reports. */
function FiledSubject({ kind, id }: { kind: FiledKind; id: string }) {
  const server = useServer();
  const isUser = kind === 'user';
  const { data: user } = useQuery({ ...userQuery(server, id), enabled: isUser && isLocal(server, id) });
  const { data: room } = useQuery({ ...roomQuery(server, id), enabled: !isUser });
  const { data: filed } = useQuery(filedReportTotalQuery(server, kind, { about: id }));
  const { data: onEvents } = useQuery(
    eventReportTotalQuery(server, isUser ? { event_sender_user_id: id } : { room_id: id }),
  );
  const avatar = isUser ? user?.avatar_url : room?.avatar;
  const created = user?.creation_ts;
  const members = room?.joined_members;
  const facts: ReactNode[] = [
    // Some servers give milliseconds instead of seconds.
    created && (
      <>
        {i18n.t('Created')} <RelativeTime timestamp={created < 1e11 ? created * 1000 : created} long />
      </>
    ),
    typeof members === 'number' &&
      i18n.t('{count, plural, one {# member} other {# members}}', { count: members }),
    filed &&
      (isUser
        ? i18n.t('{count, plural, one {# user report} other {# user reports}}', { count: filed.total })
        : i18n.t('{count, plural, one {# room report} other {# room reports}}', { count: filed.total })),
    onEvents &&
      i18n.t('{count, plural, one {# event report} other {# event reports}}', { count: onEvents.total }),
  ].filter(Boolean);
  return (
    <article
      className={classes.message}
      aria-label={isUser ? i18n.t('Reported user') : i18n.t('Reported room')}
    >
      {isUser ? (
        <UserChip kind={i18n.t('User')} id={id} name={user?.displayname} large />
      ) : (
        <RoomChip kind={i18n.t('Room')} id={id} name={room?.name || room?.canonical_alias} large />
      )}
      <div className={classes.subjectFacts}>
        {facts.map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts have no key
          <span key={index}>{fact}</span>
        ))}
      </div>
      {avatar && <RemoteImage uri={avatar} name={i18n.t('Avatar')} preview />}
    </article>
  );
}
