import { type Static, type TSchema, Type } from 'typebox';

/** Fields of all error replies. Some codes have more, for example `retry_after_ms`. */
export const ErrorBody = Type.Object(
  { errcode: Type.String(), error: Type.String() },
  { additionalProperties: true },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** A value of this schema, or null, in a form that JSON serializers are fast with. */
export const Nullable = <Schema extends TSchema & { type: string }>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] });

export const EmptyObject = Type.Object({});

/** An integer that JSON parsers and databases keep exact. */
export const SafeInteger = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});

/** Milliseconds since the Unix epoch. */
export const Timestamp = Type.Integer({ description: 'Milliseconds since the Unix epoch' });

/** Any JSON object, unchanged. */
export type JsonObject = Record<string, unknown>;
// Not a Type.Record: its serializer drops keys with line breaks, and it imports TypeBox's type arithmetic, a tenth of the
// console's start.
export const JsonObject = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true });

/** An object with any keys and values of one schema. In requests, set `maxProperties`. */
export const Dictionary = <Value extends TSchema>(value: Value, bounds: { maxProperties?: number } = {}) =>
  Type.Unsafe<Record<string, Static<Value>>>({ type: 'object', additionalProperties: value, ...bounds });

/** Error replies of every endpoint. */
export const failures = { '4xx': ErrorBody } as const;
