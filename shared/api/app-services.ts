/** What application services ask, and what is asked of them. Matrix specification, application service API. */
import { Type } from 'typebox';
import { Dictionary, failures, JsonObject } from './common.ts';

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
