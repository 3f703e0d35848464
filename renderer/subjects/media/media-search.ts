import { type Static, Type } from 'typebox';
import type { Medium, UserMediaOrder } from '../../api/media.ts';
import { endOfDay, startOfDay } from '../../words/format.ts';

/** `2026-03-01`, in the local calendar. */
export const Day = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }));
export const Bytes = Type.Optional(Type.Integer({ minimum: 1 }));

/** Search parameters of a user's media. */
export const UserMediaSearch = Type.Object({
  text: Type.Optional(Type.String({ minLength: 1 })),
  kind: Type.Optional(Type.Enum(['image', 'video', 'audio', 'other'])),
  state: Type.Optional(Type.Enum(['quarantined', 'protected', 'unused'])),
  larger: Bytes,
  from: Day,
  until: Day,
  order: Type.Optional(
    Type.Enum([
      'upload_name',
      'created_ts',
      'last_access_ts',
      'media_length',
      'media_type',
      'quarantined_by',
      'safe_from_quarantine',
    ]),
  ),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type UserMediaSearch = Static<typeof UserMediaSearch>;

// Filters and sorts media if the server can't.

export const noFilters = {
  text: undefined,
  kind: undefined,
  state: undefined,
  larger: undefined,
  from: undefined,
  until: undefined,
} satisfies Partial<UserMediaSearch>;

export const isFiltered = (search: UserMediaSearch) =>
  (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((name) => search[name] !== undefined);

type Sort = { order: UserMediaOrder; dir: 'f' | 'b' };

/** Returns the matches, sorted. */
export function filterMedia(
  media: readonly Medium[],
  search: UserMediaSearch,
  { order, dir }: Sort,
): Medium[] {
  const text = search.text?.toLocaleLowerCase();
  const [from, until] = [startOfDay(search.from), endOfDay(search.until)];
  const matching = media.filter(
    (medium) =>
      (text === undefined ||
        [medium.upload_name, medium.media_id, medium.media_type, medium.sha256].some((value) =>
          value?.toLocaleLowerCase().includes(text),
        )) &&
      (search.kind === undefined || kindOf(medium) === search.kind) &&
      (search.state === undefined || hasState(medium, search.state)) &&
      (search.larger === undefined || (medium.media_length ?? 0) > search.larger) &&
      (from === undefined || (medium.created_ts ?? 0) >= from) &&
      (until === undefined || (medium.created_ts ?? 0) <= until),
  );
  const sign = dir === 'f' ? 1 : -1;
  return matching.sort((a, b) => sign * compare(a[order], b[order]) || compare(a.media_id, b.media_id));
}

function kindOf({ media_type: type }: Medium): NonNullable<UserMediaSearch['kind']> {
  const kind = type?.slice(0, type.indexOf('/')).toLowerCase();
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'other';
}

const hasState = (medium: Medium, state: NonNullable<UserMediaSearch['state']>): boolean =>
  state === 'quarantined'
    ? Boolean(medium.quarantined_by)
    : state === 'protected'
      ? Boolean(medium.safe_from_quarantine)
      : !medium.last_access_ts;

type Value = string | number | boolean | null | undefined;

/** Missing values come first, as on the server. */
function compare(a: Value, b: Value): number {
  const [left, right] = [a ?? undefined, b ?? undefined];
  if (left === right) return 0;
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  return typeof left === 'string' && typeof right === 'string'
    ? left < right
      ? -1
      : 1
    : Number(left) - Number(right);
}

/** Actions on all media of a user. */
export const userMediaActions = ['quarantine-user-media', 'release-user-media', 'delete-user-media'];

export const roomMediaActions = ['quarantine-room-media', 'release-room-media'];
