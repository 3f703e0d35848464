/** Reading JSON that nobody vouches for: what isn't of the wanted kind is as if it weren't there. */
import type { JsonObject } from '../../../shared/api/common.ts';

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

export const object = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

export const items = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const texts = (value: unknown): string[] => items(value).filter((item) => typeof item === 'string');

/** What can be the identifier of an event, and is asked for as one. */
export const eventIdIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\$\S{1,254}$/.test(value) ? value : undefined;

/** The event that this one is about, where it says so in the usual place. */
export const relatesTo = (content: JsonObject): string | undefined =>
  text(object(content['m.relates_to'])?.event_id);
