import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));
/** `2026-03-01`, by the person's calendar. */
const Day = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }));
const Direction = Type.Optional(Type.Enum(['f', 'b']));
const Bytes = Type.Optional(Type.Integer({ minimum: 1 }));

/** What the address of the list of who uploaded how much says. */
const TotalsSearch = Type.Object({
  search: Text,
  from: Day,
  until: Day,
  order: Type.Optional(Type.Enum(['user_id', 'displayname', 'media_length', 'media_count'])),
  dir: Direction,
});
export type TotalsSearch = Static<typeof TotalsSearch>;
export const readTotalsSearch: SearchReader<TotalsSearch> = searchOf(TotalsSearch);

/** What the address of one user's uploads says. */
const UploadsSearch = Type.Object({
  text: Text,
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
  dir: Direction,
});
export type UploadsSearch = Static<typeof UploadsSearch>;
export const readUploadsSearch: SearchReader<UploadsSearch> = searchOf(UploadsSearch);

/** What the address of a room's media says. */
const RoomMediaSearch = Type.Object({ of: Type.Optional(Type.Enum(['here', 'elsewhere'])) });
export type RoomMediaSearch = Static<typeof RoomMediaSearch>;
export const readRoomMediaSearch: SearchReader<RoomMediaSearch> = searchOf(RoomMediaSearch);

/** What the address of cleaning up says. */
const CleanUpSearch = Type.Object({
  /** Nobody opened it since then. */
  since: Day,
  larger: Bytes,
  /** Whether pictures of users and rooms are deleted, too. */
  profiles: Type.Optional(Type.Boolean()),
});
export type CleanUpSearch = Static<typeof CleanUpSearch>;
export const readCleanUpSearch: SearchReader<CleanUpSearch> = searchOf(CleanUpSearch);
