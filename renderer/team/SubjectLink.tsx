import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Subject } from '../../shared/team/entries.ts';
import { roomQuery } from '../api/room.ts';
import { HazardText } from '../components/HazardText.tsx';
import { useServer } from '../console-context.ts';
import { serverName } from '../transport/server-name.ts';
import { shortId, truncate } from '../words/clip.ts';
import { ReportLink } from './DeletedReports.tsx';
import { reportName } from './report-names.ts';
import classes from './Timeline.module.css';

/** Links to the subject of an entry. */
export function SubjectLink({ subject }: { subject: Subject }) {
  const { connection } = useServer();
  switch (subject.kind) {
    case 'user':
      return (
        <Link
          to="/users/$userId"
          params={{ userId: subject.userId }}
          className={classes.subject}
          title={subject.userId}
        >
          <HazardText text={truncate(shortId(subject.userId, serverName(connection)), 100)} />
        </Link>
      );
    case 'room':
    case 'event':
      return <RoomLink roomId={subject.roomId} />;
    default:
      return (
        <ReportLink kind={subject.kind} id={subject.id} className={classes.subject}>
          {reportName(subject)}
        </ReportLink>
      );
  }
}

function RoomLink({ roomId }: { roomId: string }) {
  const { data } = useQuery(roomQuery(useServer(), roomId));
  return (
    <Link to="/rooms/$roomId" params={{ roomId }} className={classes.subject} title={roomId}>
      <HazardText text={truncate(data?.name || data?.canonical_alias || roomId, 100)} />
    </Link>
  );
}
