import { object } from '../components/event/read-json.ts';

/** Where content names uploads. Matrix specification, "Content repository" and "Sending encrypted attachments". */
const places = [['url'], ['file', 'url'], ['info', 'thumbnail_url'], ['info', 'thumbnail_file', 'url']];

/** The addresses `mxc://…` of what an event's content shows, each once; content is anything at all. */
export function mediaAddresses(content: unknown): string[] {
  const found = places
    .map((place) => place.reduce((value: unknown, key) => object(value)?.[key], content))
    .filter((value) => typeof value === 'string')
    .filter((value) => /^mxc:\/\/[^/?#\s]+\/[\w-]+$/.test(value));
  return [...new Set(found)];
}
