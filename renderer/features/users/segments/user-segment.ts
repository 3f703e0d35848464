/** Filters users by conditions that user lists of servers can't filter by, or don't even contain. */
import pLimit from 'p-limit';
import type { ListFilter } from '../../../api/list-scan.ts';
import { masIdentities } from '../../../api/mas/mas-identities.ts';
import { loadUser, type User } from '../../../api/user.ts';
import type { UserListItem } from '../../../api/user-list.ts';
import { NotFound } from '../../../transport/refusal.ts';
import type { Server } from '../../../transport/server.ts';
import { endOfDay, startOfDay } from '../../../words/format.ts';
import type { UserSegment, UserTrait } from './user-traits.ts';

export type SegmentUser = UserListItem & Partial<Pick<User, 'appservice_id' | 'threepids' | 'external_ids'>>;

/** Whether the user matches. Undefined if the list entry alone doesn't say. */
export function matchesSegment(user: SegmentUser, segment: UserSegment): boolean | undefined {
  const { is = [], idp, inactive, from, to } = segment;
  const checks = [
    ...is.map((trait) => hasTrait(user, trait)),
    ...(idp === undefined ? [] : [usesProvider(user, idp)]),
    ...(inactive === undefined ? [] : [isInactive(user, startOfDay(inactive))]),
    ...(from === undefined ? [] : [isAfter(user, startOfDay(from))]),
    ...(to === undefined ? [] : [isBefore(user, endOfDay(to))]),
  ];
  if (checks.includes(false)) return false;
  return checks.includes(undefined) ? undefined : true;
}

const flag = (value: boolean | number | null | undefined) =>
  value === undefined ? undefined : Boolean(value);

function hasTrait(user: SegmentUser, trait: UserTrait): boolean | undefined {
  switch (trait) {
    case 'suspended':
      return flag(user.suspended);
    case 'shadow-banned':
      return flag(user.shadow_banned);
    case 'locked':
      return flag(user.locked);
    case 'deactivated':
      return flag(user.deactivated);
    case 'guest':
      return flag(user.is_guest);
    case 'bot':
      return user.user_type === undefined ? undefined : user.user_type === 'bot';
    case 'no-bot':
      return user.user_type === undefined ? undefined : user.user_type !== 'bot';
    case 'bridged':
      return user.appservice_id === undefined ? undefined : user.appservice_id !== null;
    case 'no-email':
      return user.threepids && !user.threepids.some(({ medium }) => medium === 'email');
    case 'never-seen':
      return user.last_seen_ts === undefined ? undefined : !user.last_seen_ts;
  }
}

function usesProvider({ external_ids }: SegmentUser, idp: string): boolean | undefined {
  const wanted = idp.toLowerCase();
  return external_ids?.some(({ auth_provider, external_id }) => {
    const provider = auth_provider.toLowerCase();
    return provider.includes(wanted) || `${provider}:${external_id.toLowerCase()}` === wanted;
  });
}

/** Users who were never seen count from their creation. */
function isInactive({ last_seen_ts, creation_ts }: SegmentUser, day: number | undefined) {
  if (day === undefined) return true;
  if (last_seen_ts === undefined) return undefined;
  return (last_seen_ts || creation_ts || 0) < day;
}

const isAfter = ({ creation_ts }: SegmentUser, day: number | undefined) =>
  day === undefined || (creation_ts ?? 0) >= day;

const isBefore = ({ creation_ts }: SegmentUser, day: number | undefined) =>
  day === undefined || (creation_ts ?? 0) <= day;

/** Whether user lists of servers lack the data for a segment. */
const needsDetails = ({ is = [], idp }: UserSegment) =>
  idp !== undefined || is.some((trait) => ['suspended', 'bridged', 'no-email'].includes(trait));

const concurrency = 4;

/** Loads the details of users whose list entry isn't enough to decide. */
export const segmentFilter = (server: Server, segment: UserSegment): ListFilter<SegmentUser> => ({
  key: segment,
  isCostly: needsDetails(segment),
  async select(users, signal) {
    const limit = pLimit(concurrency);
    const checked = await Promise.all(
      users.map(async (user) => {
        const isMatch = matchesSegment(user, segment);
        if (isMatch !== undefined) return isMatch ? user : undefined;
        const detailed = await limit(() => withDetails(server, user, segment, signal));
        return detailed && matchesSegment(detailed, segment) ? detailed : undefined;
      }),
    );
    return checked.filter((user) => user !== undefined);
  },
});

async function withDetails(
  server: Server,
  user: SegmentUser,
  { is = [], idp }: UserSegment,
  signal: AbortSignal,
): Promise<SegmentUser | undefined> {
  signal.throwIfAborted();
  try {
    const details = await loadUser(server, user.name, signal);
    const { suspended = false, appservice_id = null, threepids = [], external_ids = [], locked } = details;
    const full: SegmentUser = {
      ...user,
      suspended,
      appservice_id,
      threepids,
      external_ids,
      ...(locked !== undefined && { locked }),
      shadow_banned: user.shadow_banned ?? details.shadow_banned ?? false,
      is_guest: user.is_guest ?? details.is_guest ?? false,
      user_type: user.user_type ?? details.user_type ?? null,
      last_seen_ts: user.last_seen_ts ?? details.last_seen_ts ?? null,
    };
    if (!details.mas || (idp === undefined && !is.includes('no-email'))) return full;
    const identities = await masIdentities(server, details.mas, signal);
    return {
      ...full,
      threepids: identities.flatMap(({ identity }) => ('medium' in identity ? [identity] : [])),
      external_ids: identities.flatMap(({ identity, provider }) =>
        'provider' in identity
          ? [{ auth_provider: provider ?? identity.provider, external_id: identity.id }]
          : [],
      ),
    };
  } catch (error) {
    // Deleted in the meantime.
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
