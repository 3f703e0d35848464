import { type Static, Type } from 'typebox';
import { Dictionary, failures, JsonObject } from './common.ts';

/** Interface: "GET …/server_version"; the body is what the reference homeserver sends. */
export const ServerVersion = Type.Object({ server_version: Type.String() });
export type ServerVersion = Static<typeof ServerVersion>;
export const getServerVersion = { response: { 200: ServerVersion, ...failures } };

/** `GET …/client/versions`: asked without a token to find out whether, and how, a server speaks. */
export const Versions = Type.Object({
  versions: Type.Array(Type.String()),
  unstable_features: Type.Optional(Dictionary(Type.Boolean())),
});
export type Versions = Static<typeof Versions>;
export const getVersions = { response: { 200: Versions } };

/** `GET /.well-known/matrix/client`: what clients find out by the server's name. */
export const getClientWellKnown = { response: { 200: JsonObject, ...failures } };

/** `GET …/federation/v1/version`. Interface: "Changes by release", v1.130.0. */
export const FederationVersion = Type.Object({
  server: Type.Object({ name: Type.String(), version: Type.String() }),
});
export type FederationVersion = Static<typeof FederationVersion>;
export const getFederationVersion = { response: { 200: FederationVersion } };

/** `GET …/key/v2/server`: the keys that this server signs events with. */
export const ServerKeys = Type.Object({
  server_name: Type.String(),
  verify_keys: Dictionary(Type.Object({ key: Type.String() })),
  old_verify_keys: Dictionary(Type.Unknown()),
  signatures: Dictionary(Dictionary(Type.String())),
  valid_until_ts: Type.Integer(),
});
export type ServerKeys = Static<typeof ServerKeys>;
export const getServerKeys = { response: { 200: ServerKeys } };

/** `GET …/client/v1/auth_metadata`: the metadata of the OAuth 2.0 server that signs people in. */
export const getAuthMetadata = { response: { 200: JsonObject, ...failures } };
