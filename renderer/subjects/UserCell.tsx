import { Link } from '@tanstack/react-router';
import { Avatar } from '../components/Avatar.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { DisplayName, maxNameLength } from '../components/Identity.tsx';
import cells from '../components/table/cells.module.css';
import { identifierWarning } from '../components/text-hazards.ts';
import { Warning } from '../components/Warning.tsx';
import { useNameInView } from '../team/account-names.ts';
import { ellipsize } from '../words/clip.ts';

type User = { userId: string; name?: string | null | undefined };

/** Renders a user's initials and display name, or else the ID, in a link of class `cells.person`. */
export const UserName = ({ userId, name }: User) => (
  <>
    <Avatar id={userId} name={name} />
    <span className={cells.called}>
      {name ? <DisplayName name={ellipsize(name, maxNameLength)} /> : <UserIdText userId={userId} />}
    </span>
  </>
);

/** Links the name to the user's page. */
export const UserLink = (user: User) => (
  <Link to="/users/$userId" params={{ userId: user.userId }} className={cells.person} title={user.userId}>
    <UserName {...user} />
  </Link>
);

/** As `UserLink`: loads the name of a local user once its row has been visible for a moment. */
export function LoadedUserLink({ userId }: { userId: string }) {
  const [ref, name] = useNameInView(userId);
  return (
    <span ref={ref}>
      <UserLink userId={userId} name={name} />
    </span>
  );
}

/** Renders the ID in its own cell. */
export const UserId = ({ userId }: { userId: string }) => (
  <span className={cells.mono} title={userId}>
    <UserIdText userId={userId} />
  </span>
);

function UserIdText({ userId }: { userId: string }) {
  const warning = identifierWarning(userId);
  return (
    <>
      <HazardText text={ellipsize(userId, 255)} />
      {warning && <Warning reason={warning} />}
    </>
  );
}
