/** Devices that take messages while no other of their user does. Matrix proposal MSC3814. */
import { Type } from 'typebox';
import { failures, JsonObject } from './common.ts';
import { DeviceKeys, uploadedKeys } from './encryption-keys.ts';
import { ToDeviceMessage } from './to-device.ts';

const named = Type.Object({ device_id: Type.String() });

/** What a client needs to become the device: its user alone can read it. */
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

/** How older clients ask: they go on until there are no more events. */
export const postDehydratedEvents = {
  params,
  body: Type.Optional(
    Type.Object({ next_batch: Type.Optional(Type.String()) }, { additionalProperties: true }),
  ),
  response: events,
};
