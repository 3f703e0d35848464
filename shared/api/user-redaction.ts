/** Redacting what a user sent. The reference homeserver's "Redact all the events of a user". */
import { type Static, Type } from 'typebox';
import { Dictionary, failures } from './common.ts';
import { TaskStatus } from './scheduled-tasks.ts';

export const RedactUserRequest = Type.Object(
  {
    rooms: Type.Array(Type.String(), {
      maxItems: 10_000,
      description: 'Room IDs; empty for all current and former rooms of the user',
    }),
    reason: Type.Optional(Type.String({ maxLength: 10_000 })),
    limit: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1000,
      description: "Maximum number of the user's newest events per room",
    }),
    use_admin: Type.Boolean({
      default: false,
      description: 'Redact as the admin instead of, where possible, as the user',
    }),
  },
  { additionalProperties: true },
);
export const redactUser = {
  params: Type.Object({ user_id: Type.String() }),
  body: RedactUserRequest,
  response: { 200: Type.Object({ redact_id: Type.String() }), ...failures },
};

/** By event, why it could not be redacted. */
export const FailedRedactions = Dictionary(Type.String());
export const RedactStatus = Type.Object({
  status: TaskStatus,
  failed_redactions: Type.Optional(FailedRedactions),
  error: Type.Optional(Type.String()),
});
export type RedactStatus = Static<typeof RedactStatus>;
export const getRedactStatus = {
  params: Type.Object({ redact_id: Type.String() }),
  response: { 200: RedactStatus, ...failures },
};
