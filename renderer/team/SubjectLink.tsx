import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Subject } from '../../shared/team/entries.ts';
import { roomQuery } from '../api/room.ts';
import { HazardText } from '../components/HazardText.tsx';
import { DisplayName, maxNameLength } from '../components/Identity.tsx';
import { useDwelledInView } from '../components/in-view.ts';
import { useServer } from '../console-context.ts';
import { serverName } from '../transport/server-name.ts';
import { ellipsize, shortId, truncate } from '../words/clip.ts';
import { useAccountName } from './account-names.ts';
import { ReportLink } from './DeletedReports.tsx';
import { reportName } from './report-names.ts';
import classes from './Timeline.module.css';

/** Links to the subject of an entry. */
export function SubjectLink({ subject }: { subject: Subject }) {
  switch (subject.kind) {
    case 'user':
      return <UserLink userId={subject.userId} />;
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

/** Names the user, once the name is loaded, and the ID. */
function UserLink({ userId }: { userId: string }) {
  const { connection } = useServer();
  const [ref, isSeen] = useDwelledInView();
  const name = useAccountName(userId, isSeen);
  const id = <HazardText text={truncate(shortId(userId, serverName(connection)), 100)} />;
  return (
    <Link ref={ref} to="/users/$userId" params={{ userId }} className={classes.subject} title={userId}>
      {name ? (
        <>
          <DisplayName name={ellipsize(name, maxNameLength)} /> <span className={classes.id}>{id}</span>
        </>
      ) : (
        id
      )}
    </Link>
  );
}

function RoomLink({ roomId }: { roomId: string }) {
  const { data } = useQuery(roomQuery(useServer(), roomId));
  return (
    <Link to="/rooms/$roomId" params={{ roomId }} className={classes.subject} title={roomId}>
      <HazardText text={truncate(data?.name || data?.canonical_alias || roomId, 100)} />
    </Link>
  );
}
