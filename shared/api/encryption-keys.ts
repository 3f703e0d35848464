/** Messages to devices. Matrix specification, client-server API, "Send-to-Device messaging". */
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, failures, JsonObject, Timestamp } from './common.ts';
import { InteractiveAuth } from './login.ts';

/** A message as the device receives it. */
const ToDeviceMessage = Type.Object({
  type: Type.String(),
  sender: Type.String(),
  content: JsonObject,
});

export const sendToDevice = {
  params: Type.Object({ eventType: Type.String(), transactionId: Type.String() }),
  body: Type.Object(
    {
      /** By user and device ID; `*` for all devices of the user. */
      messages: Dictionary(Dictionary(JsonObject, { maxProperties: 1_000 }), { maxProperties: 10_000 }),
    },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

/** Keys of devices and users. Matrix specification, client-server API, "End-to-End Encryption". */

/** Well above the number of signatures of an object, and of keys of a device. */
const few = { maxProperties: 1_000 };
/** Well above the number of users per request: client libraries send some hundreds. */
const many = { maxProperties: 10_000 };

/** Keys of a user or device, with all other signed fields. */
const SignedKeys = {
  user_id: Type.String(),
  keys: Dictionary(Type.String(), few),
  signatures: Type.Optional(Dictionary(Dictionary(Type.String(), few), few)),
};

export const DeviceKeys = Type.Object(
  { ...SignedKeys, device_id: Type.String(), algorithms: Type.Array(Type.String()) },
  { additionalProperties: true },
);
export type DeviceKeys = Static<typeof DeviceKeys>;

export const CrossSigningKey = Type.Object(
  { ...SignedKeys, usage: Type.Array(Type.String()) },
  { additionalProperties: true },
);
export type CrossSigningKey = Static<typeof CrossSigningKey>;

/** By `<algorithm>:<key id>`: a key, or an object with the key and its signatures. */
const keysByName = (maxProperties: number) =>
  Dictionary(Type.Unsafe<string | JsonObject>({ type: ['string', 'object'], additionalProperties: true }), {
    maxProperties,
  });

/** Client libraries upload up to 100. */
export const maximumOneTimeKeys = 1_000;

/** Keys that a device uploads; null for none. */
const uploadedKeys = {
  one_time_keys: Type.Optional(Type.Union([keysByName(maximumOneTimeKeys), Type.Null()])),
  fallback_keys: Type.Optional(Type.Union([keysByName(20), Type.Null()])),
};

export const postKeysUpload = {
  body: Type.Object(
    { device_keys: Type.Optional(DeviceKeys), ...uploadedKeys },
    { additionalProperties: true },
  ),
  response: { 200: Type.Object({ one_time_key_counts: Dictionary(Type.Integer()) }), ...failures },
};

const KeysByUser = Dictionary(JsonObject);

export const postKeysQuery = {
  body: Type.Object(
    {
      device_keys: Type.Unsafe<Record<string, string[]>>({
        type: 'object',
        ...many,
        additionalProperties: { type: 'array', items: { type: 'string' } },
        description: 'Device IDs per user; an empty list for all devices',
      }),
    },
    { additionalProperties: true },
  ),
  response: {
    200: Type.Object({
      device_keys: Dictionary(Dictionary(JsonObject)),
      failures: KeysByUser,
      master_keys: KeysByUser,
      self_signing_keys: KeysByUser,
      user_signing_keys: KeysByUser,
    }),
    ...failures,
  },
};

export const postKeysClaim = {
  body: Type.Object(
    {
      one_time_keys: Type.Optional(
        Dictionary(Dictionary(Type.String({ description: 'Key algorithm' }), few), many),
      ),
    },
    { additionalProperties: true },
  ),
  response: {
    200: Type.Object({ one_time_keys: Dictionary(Dictionary(JsonObject)), failures: KeysByUser }),
    ...failures,
  },
};

export const keyChanges = {
  querystring: Type.Object({
    from: Type.String(),
    to: Type.Optional(Type.String({ description: 'Ignored: lists all changes up to now' })),
  }),
  response: {
    200: Type.Object({ changed: Type.Array(Type.String()), left: Type.Array(Type.String()) }),
    ...failures,
  },
};

export const uploadCrossSigningKeys = {
  body: Type.Object(
    {
      master_key: Type.Optional(CrossSigningKey),
      self_signing_key: Type.Optional(CrossSigningKey),
      user_signing_key: Type.Optional(CrossSigningKey),
      auth: Type.Optional(InteractiveAuth),
    },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

/** `POST …/admin/v1/users/{user_id}/_allow_cross_signing_replacement_without_uia`. */
export const postCrossSigningReset = {
  params: Type.Object({ user_id: Type.String() }),
  response: { 200: Type.Object({ updatable_without_uia_before_ms: Timestamp }), ...failures },
};

export const postSignatures = {
  /** Signed objects by user, then by device ID or public cross-signing key. */
  body: Dictionary(Dictionary(JsonObject, many), many),
  response: { 200: Type.Object({ failures: Dictionary(Dictionary(JsonObject)) }), ...failures },
};

/** Devices that receive messages while the user's other devices are offline. Matrix proposal MSC3814. */

const named = Type.Object({ device_id: Type.String() });

/** The encrypted device, which only its user can decrypt. */
const DeviceData = Type.Object({ algorithm: Type.String() }, { additionalProperties: true });

export const putDehydratedDevice = {
  body: Type.Object(
    {
      device_id: Type.String({ minLength: 1 }),
      device_data: DeviceData,
      device_keys: DeviceKeys,
      initial_device_display_name: Type.Optional(Type.String()),
      ...uploadedKeys,
    },
    { additionalProperties: true },
  ),
  response: { 200: named, ...failures },
};

export const getDehydratedDevice = {
  response: { 200: Type.Object({ device_id: Type.String(), device_data: JsonObject }), ...failures },
};

export const deleteDehydratedDevice = { response: { 200: named, ...failures } };

const events = {
  200: Type.Object({ events: Type.Array(ToDeviceMessage), next_batch: Type.Optional(Type.String()) }),
  ...failures,
};
const params = Type.Object({ deviceId: Type.String() });

export const getDehydratedEvents = {
  params,
  querystring: Type.Object({ from: Type.Optional(Type.String()) }),
  response: events,
};

/** For older clients, which repeat the request until there are no more events. */
export const postDehydratedEvents = {
  params,
  body: Type.Optional(
    Type.Object({ next_batch: Type.Optional(Type.String()) }, { additionalProperties: true }),
  ),
  response: events,
};
