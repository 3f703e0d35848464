import { ignoredUsers } from '../../identity/account-data/account-data.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { VisibleEvent } from './access.ts';

/** Those events that do not come from whom a user ignores; state is shown whoever set it. */
export async function withoutIgnored(
  db: Database,
  userId: string,
  visible: VisibleEvent[],
): Promise<VisibleEvent[]> {
  const isOthers = ({ event: { pdu } }: VisibleEvent) => pdu.sender !== userId && pdu.state_key === undefined;
  if (!visible.some(isOthers)) return visible;
  const ignored = await ignoredUsers(db, userId);
  if (ignored.size === 0) return visible;
  return visible.filter((each) => !isOthers(each) || !ignored.has(each.event.pdu.sender));
}
