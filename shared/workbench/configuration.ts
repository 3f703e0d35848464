/** `homeserver.yaml`, as the server reads it. */
import { type Static, Type } from 'typebox';
import { failures, JsonObject, Nullable } from '../api/common.ts';

const largest = 256 * 1024;

export const ConfigurationText = Type.Object({
  path: Nullable(Type.String({ description: 'Path of the file, existing or not' })),
  text: Type.String({ description: 'Content including secrets; empty without a file' }),
  schema: JsonObject,
});
export type ConfigurationText = Static<typeof ConfigurationText>;

/** The API paths that the server has. */
export const getDialects = {
  response: { 200: Type.Object({ dialects: Type.Array(Type.Enum(['vendor', 'matrix'])) }), ...failures },
};

/** `schema` is the JSON Schema of the configuration, with descriptions, defaults and examples. */
export const getConfiguration = { response: { 200: ConfigurationText, ...failures } };

export const ConfigurationProblem = Type.Object({
  severity: Type.Enum(['error', 'warning'] as const),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  setting: Type.String({
    description: 'Path, such as jwt_config.algorithm; empty for the whole file',
  }),
  sentence: Type.String(),
});
export type ConfigurationProblem = Static<typeof ConfigurationProblem>;

/** Messages of the server for a configuration. With an error it wouldn't start. */
export const checkConfiguration = {
  body: Type.Object({ text: Type.String({ maxLength: largest }) }, { additionalProperties: true }),
  response: { 200: Type.Object({ problems: Type.Array(ConfigurationProblem) }), ...failures },
};
