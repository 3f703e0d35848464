import { type Static, Type } from 'typebox';

/** `2026-03-01`, by the person's calendar. */
export const Day = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }));
export const Bytes = Type.Optional(Type.Integer({ minimum: 1 }));

/** What the address of one user's uploads says. */
export const UploadsSearch = Type.Object({
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
export type UploadsSearch = Static<typeof UploadsSearch>;
