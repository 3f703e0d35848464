/** Reads untrusted JSON: a value of another type counts as missing. */
import type { JsonObject } from '../../../shared/api/common.ts';

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

export const object = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

export const items = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const texts = (value: unknown): string[] => items(value).filter((item) => typeof item === 'string');

/** Returns the value if it can be an event ID. */
export const eventIdIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\$\S{1,254}$/.test(value) ? value : undefined;

/** Returns the ID of the event that the content relates to. */
export const relatesTo = (content: JsonObject): string | undefined =>
  text(object(content['m.relates_to'])?.event_id);
