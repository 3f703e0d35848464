/** What users uploaded. The reference homeserver's "User Admin API". */
import { type Static, type TLiteral, Type } from 'typebox';
import { failures } from './common.ts';
import { DeletedMedia, MediaItem } from './media-administration.ts';

/** A page holds this many at most, whatever `limit` asks for. */
export const maximumMediaPerPage = 1000;

const oneOf = <Name extends string>(names: readonly Name[]) =>
  Type.Union(names.map((name) => Type.Literal(name)) as TLiteral<Name>[]);

const mediaOrders = [
  'media_id',
  'upload_name',
  'created_ts',
  'last_access_ts',
  'media_length',
  'media_type',
  'quarantined_by',
  'safe_from_quarantine',
] as const;

/** Without an order the newest stand first; with one, and no direction, the smallest. */
export const UserMediaQuery = Type.Object({
  from: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 0, default: 100 }),
  order_by: Type.Optional(oneOf(mediaOrders)),
  dir: Type.Optional(oneOf(['b', 'f'])),
});
export type UserMediaQuery = Static<typeof UserMediaQuery>;

export const UserMediaPage = Type.Object({
  media: Type.Array(MediaItem),
  next_token: Type.Optional(Type.Integer({ description: 'Present only when more results exist' })),
  total: Type.Integer(),
});
export type UserMediaPage = Static<typeof UserMediaPage>;

const params = Type.Object({ user_id: Type.String() });

/** `GET …/v1/users/{user_id}/media`. */
export const listUserMedia = {
  params,
  querystring: UserMediaQuery,
  response: { 200: UserMediaPage, ...failures },
};

/** `DELETE …/v1/users/{user_id}/media`: the page that the same query would list. */
export const deleteUserMedia = {
  params,
  querystring: UserMediaQuery,
  response: { 200: DeletedMedia, ...failures },
};
