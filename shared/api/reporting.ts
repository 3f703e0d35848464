/** What users report: events, whole rooms, other users. Matrix specification, client-server API, "Reporting content". */
import { Type } from 'typebox';
import { EmptyObject, failures, SafeInteger } from './common.ts';

/** Interface: "POST …/rooms/{roomId}/report/{eventId}". */
export const reportEvent = {
  params: Type.Object({ roomId: Type.String(), eventId: Type.String() }),
  body: Type.Object(
    { reason: Type.Optional(Type.String()), score: Type.Optional(SafeInteger) },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

const body = Type.Object({ reason: Type.String() }, { additionalProperties: true });

export const reportRoom = {
  params: Type.Object({ roomId: Type.String() }),
  body,
  response: { 200: EmptyObject, ...failures },
};

export const reportUser = {
  params: Type.Object({ userId: Type.String() }),
  body,
  response: { 200: EmptyObject, ...failures },
};
