import { type Static, Type } from 'typebox';
import { Dictionary, failures, JsonObject } from './common.ts';

/** `GET …/v1/server_version`. */
export const ServerVersion = Type.Object({ server_version: Type.String() });
export type ServerVersion = Static<typeof ServerVersion>;
export const getServerVersion = { response: { 200: ServerVersion, ...failures } };

/**
 * `GET …/endpoints`: paths of the built-in homeserver below the prefixes of its admin and client APIs. Segments that begin
 * with a colon are parameters.
 */
export const Endpoints = Type.Object({
  administration: Type.Array(Type.String()),
  chat: Type.Array(Type.String()),
});
export type Endpoints = Static<typeof Endpoints>;
export const getEndpoints = { response: { 200: Endpoints, ...failures } };

/** `GET …/client/versions`, without a token: detects homeservers and their features. */
export const Versions = Type.Object({
  versions: Type.Array(Type.String()),
  unstable_features: Type.Optional(Dictionary(Type.Boolean())),
});
export type Versions = Static<typeof Versions>;
export const getVersions = { response: { 200: Versions } };

/** `GET /.well-known/matrix/client`: discovery by server name. */
export const getClientWellKnown = { response: { 200: JsonObject, ...failures } };

/** `GET …/federation/v1/version`. */
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

/** `GET …/client/v1/auth_metadata`: metadata of the OAuth 2.0 server that users sign in with. */
export const getAuthMetadata = { response: { 200: JsonObject, ...failures } };

/** Capabilities. Matrix specification, client-server API, "Capabilities negotiation". */

const Switch = Type.Object({ enabled: Type.Boolean() });

const Capabilities = Type.Object({
  capabilities: Type.Object({
    'm.room_versions': Type.Object({
      default: Type.String(),
      available: Dictionary(Type.String()),
    }),
    'm.change_password': Switch,
    'm.set_displayname': Switch,
    'm.set_avatar_url': Switch,
    'm.3pid_changes': Switch,
    'm.profile_fields': Switch,
    'm.get_login_token': Switch,
    'm.account_moderation': Type.Optional(Type.Object({ lock: Type.Boolean(), suspend: Type.Boolean() })),
  }),
});
export const getCapabilities = { response: { 200: Capabilities, ...failures } };

/** TURN server for calls. Matrix specification, client-server API, "Voice over IP". */

export const getTurnServer = {
  response: {
    200: Type.Object({
      username: Type.Optional(Type.String()),
      password: Type.Optional(Type.String()),
      uris: Type.Optional(Type.Array(Type.String())),
      ttl: Type.Optional(Type.Integer({ description: 'Seconds' })),
    }),
    ...failures,
  },
};

/** Requests from and to application services. Matrix specification, application service API. */

export const postPing = {
  params: Type.Object({ appServiceId: Type.String() }),
  body: Type.Object({ transaction_id: Type.Optional(Type.String()) }, { additionalProperties: true }),
  response: { 200: Type.Object({ duration_ms: Type.Integer() }), ...failures },
};

const Found = Type.Array(JsonObject);
const ofProtocol = Type.Object({ protocol: Type.String() });

export const getProtocols = { response: { 200: Dictionary(JsonObject), ...failures } };
export const getProtocol = { params: ofProtocol, response: { 200: JsonObject, ...failures } };
export const getProtocolThings = { params: ofProtocol, response: { 200: Found, ...failures } };
export const getThings = { response: { 200: Found, ...failures } };
