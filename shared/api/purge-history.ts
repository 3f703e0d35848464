/** Purging a room's history. The reference homeserver's "Purge History API". */
import { type Static, Type } from 'typebox';
import { failures, Nullable, SafeInteger } from './common.ts';

/** Which events go: those before an event, named in the path or here, or before a time. */
export const PurgeHistoryRequest = Type.Object(
  {
    purge_up_to_event_id: Type.Optional(Type.String()),
    purge_up_to_ts: Type.Optional(SafeInteger),
    delete_local_events: Type.Boolean({
      default: false,
      description: 'Also delete events sent by local users, which may have no other copy',
    }),
  },
  { additionalProperties: true },
);
export type PurgeHistoryRequest = Static<typeof PurgeHistoryRequest>;

/** The body may be left out where the path names the event. */
export const purgeHistory = {
  params: Type.Object({ room_id: Type.String(), event_id: Type.Optional(Type.String()) }),
  body: Type.Optional(PurgeHistoryRequest),
  response: { 200: Type.Object({ purge_id: Type.String() }), ...failures },
};

export const PurgeHistoryStatus = Type.Object({
  status: Type.Union([Type.Literal('active'), Type.Literal('complete'), Type.Literal('failed')]),
  error: Type.Optional(Nullable(Type.String())),
});
export type PurgeHistoryStatus = Static<typeof PurgeHistoryStatus>;
export const getPurgeHistoryStatus = {
  params: Type.Object({ purge_id: Type.String() }),
  response: { 200: PurgeHistoryStatus, ...failures },
};
