/** Profiles of users. Matrix specification, client-server API, "Profiles". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject, Nullable } from './common.ts';

const params = Type.Object({ userId: Type.String() });

/** Custom fields are allowed. */
export const Profile = Type.Object(
  { displayname: Type.Optional(Type.String()), avatar_url: Type.Optional(Type.String()) },
  { additionalProperties: true },
);
export type Profile = Static<typeof Profile>;
export const getProfile = { params, response: { 200: Profile, ...failures } };

const fieldParams = Type.Object({ userId: Type.String(), field: Type.String() });
export const getProfileField = { params: fieldParams, response: { 200: JsonObject, ...failures } };
export const putProfileField = {
  params: fieldParams,
  body: JsonObject,
  response: { 200: EmptyObject, ...failures },
};
export const deleteProfileField = { params: fieldParams, response: { 200: EmptyObject, ...failures } };
/** Display name and avatar can be deleted like any field. */
export const deleteNamedField = { params, response: { 200: EmptyObject, ...failures } };

const DisplayName = Type.Object({ displayname: Nullable(Type.String()) });
export const getDisplayName = { params, response: { 200: DisplayName, ...failures } };
export const putDisplayName = {
  params,
  body: Type.Object({ displayname: Type.String() }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};

const AvatarUrl = Type.Object({ avatar_url: Nullable(Type.String()) });
export const getAvatarUrl = { params, response: { 200: AvatarUrl, ...failures } };
export const putAvatarUrl = {
  params,
  body: Type.Object({ avatar_url: Type.String() }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};
