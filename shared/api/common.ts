import { type Static, type TSchema, Type } from 'typebox';

/** Fields of all error replies. Some codes have more, for example `retry_after_ms`. */
export const ErrorBody = Type.Object(
  { errcode: Type.String(), error: Type.String() },
  { additionalProperties: true },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** A value of this schema, or null; written so that JSON serializers take their fast path. */
export const Nullable = <Schema extends TSchema & { type: string }>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });

export const EmptyObject = Type.Object({});

/** A whole number that every part of the way keeps as it is; larger ones no database takes. */
export const SafeInteger = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});

/** Milliseconds since the Unix epoch. */
export const Timestamp = Type.Integer({ description: 'Milliseconds since the Unix epoch' });

/** Any JSON object, as it came. */
export type JsonObject = Record<string, unknown>;
// Not a Type.Record: that one loses keys with line breaks in them when a reply is written, and brings TypeBox's
// arithmetic of types along, a tenth of what the console loads at its start.
export const JsonObject = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true });

/** An object of any keys whose values are all of one shape; in requests it says how many there may be. */
export const Dictionary = <Value extends TSchema>(value: Value, bounds: { maxProperties?: number } = {}) =>
  Type.Unsafe<Record<string, Static<Value>>>({ type: 'object', additionalProperties: value, ...bounds });

/** Failure replies that every endpoint can give. */
export const failures = { '4xx': ErrorBody } as const;
