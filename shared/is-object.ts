import type { JsonObject } from './api/common.ts';

/** Whether a value is an object as in JSON, so neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
