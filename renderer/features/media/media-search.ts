import { type Static, Type } from 'typebox';
import type { StatisticsFilter } from '../../api/media.ts';
import { type SearchReader, searchOf } from '../../search.ts';
import { Bytes, Day, UserMediaSearch } from '../../subjects/media/media-search.ts';
import { endOfDay, startOfDay } from '../../words/format.ts';

/** Search parameters of media by user. */
const TotalsSearch = Type.Object({
  search: Type.Optional(Type.String({ minLength: 1 })),
  from: Day,
  until: Day,
  order: Type.Optional(Type.Enum(['user_id', 'displayname', 'media_length', 'media_count'])),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type TotalsSearch = Static<typeof TotalsSearch>;
export const readTotalsSearch: SearchReader<TotalsSearch> = searchOf(TotalsSearch);

/** Largest first by default. */
export function totalsFilterOf({
  search,
  from,
  until,
  order = 'media_length',
  dir = 'b',
}: TotalsSearch): StatisticsFilter {
  const [start, end] = [startOfDay(from), endOfDay(until)];
  // Servers refuse an empty period.
  const isEmpty = start !== undefined && end !== undefined && end <= start;
  return { search, from: start, until: isEmpty ? start + 1 : end, order, dir } as StatisticsFilter;
}

export const readUploadsSearch: SearchReader<UserMediaSearch> = searchOf(UserMediaSearch);

/** Search parameters of a room's media. */
const RoomMediaSearch = Type.Object({ of: Type.Optional(Type.Enum(['here', 'elsewhere'])) });
type RoomMediaSearch = Static<typeof RoomMediaSearch>;
export const readRoomMediaSearch: SearchReader<RoomMediaSearch> = searchOf(RoomMediaSearch);

/** Search parameters of the clean-up. */
const CleanUpSearch = Type.Object({
  /** Not accessed since this day. */
  since: Day,
  larger: Bytes,
  /** Whether avatars are deleted as well. */
  profiles: Type.Optional(Type.Boolean()),
});
export type CleanUpSearch = Static<typeof CleanUpSearch>;
export const readCleanUpSearch: SearchReader<CleanUpSearch> = searchOf(CleanUpSearch);

/** Search parameters of quarantine changes. */
const QuarantineSearch = Type.Object({ to: Type.Optional(Type.Enum(['quarantined', 'released'])) });
type QuarantineSearch = Static<typeof QuarantineSearch>;
export const readQuarantineSearch: SearchReader<QuarantineSearch> = searchOf(QuarantineSearch);
