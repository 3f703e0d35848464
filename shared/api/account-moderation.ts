/** Locking and suspending accounts by a client. Matrix specification, client-server API, "Server administration". */
import { Type } from 'typebox';
import { failures } from './common.ts';

const params = Type.Object({ userId: Type.String() });

const Locked = Type.Object({ locked: Type.Boolean() });
export const getLocked = { params, response: { 200: Locked, ...failures } };
export const putLocked = {
  params,
  body: Type.Object(Locked.properties, { additionalProperties: true }),
  response: { 200: Locked, ...failures },
};

const Suspended = Type.Object({ suspended: Type.Boolean() });
export const getSuspended = { params, response: { 200: Suspended, ...failures } };
export const putSuspended = {
  params,
  body: Type.Object(Suspended.properties, { additionalProperties: true }),
  response: { 200: Suspended, ...failures },
};
