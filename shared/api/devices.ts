/** A user's devices. Matrix specification, client-server API, "Device Management". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Nullable, Timestamp } from './common.ts';
import { InteractiveAuth } from './login.ts';

export const Device = Type.Object({
  user_id: Type.String(),
  device_id: Type.String(),
  display_name: Nullable(Type.String()),
  last_seen_ts: Nullable(Timestamp),
  last_seen_ip: Nullable(Type.String()),
});
export type Device = Static<typeof Device>;

const params = Type.Object({ deviceId: Type.String() });

export const listDevices = {
  response: { 200: Type.Object({ devices: Type.Array(Device) }), ...failures },
};
export const getDevice = { params, response: { 200: Device, ...failures } };
export const putDevice = {
  params,
  body: Type.Object({ display_name: Type.Optional(Nullable(Type.String())) }, { additionalProperties: true }),
  /** 201 for a device that an application service creates. */
  response: { 200: EmptyObject, 201: EmptyObject, ...failures },
};

/** The body is optional: some clients request the stages without one. */
const DeleteDeviceRequest = Type.Object(
  { auth: Type.Optional(InteractiveAuth) },
  { additionalProperties: true },
);
export const deleteDevice = {
  params,
  body: Type.Optional(DeleteDeviceRequest),
  response: { 200: EmptyObject, ...failures },
};

export const deleteDevices = {
  body: Type.Object(
    { devices: Type.Array(Type.String(), { maxItems: 1000 }), auth: Type.Optional(InteractiveAuth) },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

/** Devices of any user, for server admins. Synapse's "User Admin API". */
const ofUser = Type.Object({ user_id: Type.String() });
const oneOfUser = Type.Object({ user_id: Type.String(), device_id: Type.String() });

export const listUserDevices = {
  params: ofUser,
  response: { 200: Type.Object({ devices: Type.Array(Device), total: Type.Integer() }), ...failures },
};
export const getUserDevice = { params: oneOfUser, response: getDevice.response };
export const putUserDevice = {
  params: oneOfUser,
  body: putDevice.body,
  response: { 200: EmptyObject, ...failures },
};
export const deleteUserDevice = { params: oneOfUser, response: { 200: EmptyObject, ...failures } };
export const deleteUserDevices = {
  params: ofUser,
  body: Type.Object({ devices: Type.Array(Type.String(), { maxItems: 1000 }) }),
  response: { 200: EmptyObject, ...failures },
};
