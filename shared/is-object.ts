import type { JsonObject } from './api/common.ts';

/** Whether a value is a JSON object: not null and not an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
