import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isLocal } from '../../../actions/local-users.ts';
import { eventReportTotalQuery } from '../../../api/event-reports.ts';
import { filedReportTotalQuery } from '../../../api/filed-report-total.ts';
import type { FiledKind } from '../../../api/filed-reports.ts';
import { roomQuery } from '../../../api/room.ts';
import { userQuery } from '../../../api/user.ts';
import { RemoteImage } from '../../../components/event/RemoteImage.tsx';
import { Identity } from '../../../components/Identity.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useServer } from '../../../console-context.ts';
import classes from '../detail/ReportDetail.module.css';

/** Shows the reported user or room: name, avatar on request, age, and how often it was reported. */
export function FiledSubject({ kind, id }: { kind: FiledKind; id: string }) {
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
      <Identity id={id} name={isUser ? user?.displayname : room?.name || room?.canonical_alias} />
      <div className={classes.subjectFacts}>
        {facts.map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts have no identity of their own
          <span key={index}>{fact}</span>
        ))}
      </div>
      {avatar && <RemoteImage uri={avatar} name={i18n.t('Avatar')} preview />}
    </article>
  );
}
