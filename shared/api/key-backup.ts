/** Backups of clients' encrypted keys. Matrix specification, client-server API, "Server-side key backups". */
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, failures, JsonObject, SafeInteger } from './common.ts';

const ofVersion = Type.Object({ version: Type.String() });
const ofRoom = Type.Object({ roomId: Type.String() });
const ofSession = Type.Object({ roomId: Type.String(), sessionId: Type.String() });

/** The key of one session, encrypted for its user. */
export const BackedUpKey = Type.Object({
  first_message_index: SafeInteger,
  forwarded_count: SafeInteger,
  is_verified: Type.Boolean(),
  session_data: JsonObject,
});
export type BackedUpKey = Static<typeof BackedUpKey>;
/** Well above the number of real keys that fit into a request; a reply may have more. */
const few = { maxProperties: 10_000 };
const roomKeys = (bounds?: typeof few) => Type.Object({ sessions: Dictionary(BackedUpKey, bounds) });
const allKeys = (bounds?: typeof few) => Type.Object({ rooms: Dictionary(roomKeys(bounds), bounds) });

const Backup = Type.Object({
  algorithm: Type.String(),
  auth_data: JsonObject,
  count: Type.Integer(),
  etag: Type.String({ description: 'Changes with the keys' }),
  version: Type.String(),
});
const Changed = Type.Object({ count: Type.Integer(), etag: Type.String() });

export const createBackup = {
  body: Type.Object({ algorithm: Type.String(), auth_data: JsonObject }, { additionalProperties: true }),
  response: { 200: ofVersion, ...failures },
};
export const getLatestBackup = { response: { 200: Backup, ...failures } };
export const getBackup = { params: ofVersion, response: { 200: Backup, ...failures } };
export const updateBackup = {
  params: ofVersion,
  body: Type.Object(
    { algorithm: Type.String(), auth_data: JsonObject, version: Type.Optional(Type.String()) },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};
export const deleteBackup = { params: ofVersion, response: { 200: EmptyObject, ...failures } };

const changed = { 200: Changed, ...failures };
export const putAllKeys = { querystring: ofVersion, body: allKeys(few), response: changed };
export const putRoomKeys = { params: ofRoom, querystring: ofVersion, body: roomKeys(few), response: changed };
export const putSessionKey = {
  params: ofSession,
  querystring: ofVersion,
  body: BackedUpKey,
  response: changed,
};
export const getAllKeys = { querystring: ofVersion, response: { 200: allKeys(), ...failures } };
export const getRoomKeys = {
  params: ofRoom,
  querystring: ofVersion,
  response: { 200: roomKeys(), ...failures },
};
export const getSessionKey = {
  params: ofSession,
  querystring: ofVersion,
  response: { 200: BackedUpKey, ...failures },
};
export const deleteAllKeys = { querystring: ofVersion, response: changed };
export const deleteRoomKeys = { params: ofRoom, querystring: ofVersion, response: changed };
export const deleteSessionKey = { params: ofSession, querystring: ofVersion, response: changed };
