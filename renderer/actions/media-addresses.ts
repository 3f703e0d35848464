import { object } from '../components/event/read-json.ts';

/** Where content names uploads. Matrix specification, "Content repository" and "Sending encrypted attachments". */
const places = [['url'], ['file', 'url'], ['info', 'thumbnail_url'], ['info', 'thumbnail_file', 'url']];

/** The addresses `mxc://…` of what an event's content shows, each once; content is anything at all. */
export function mediaAddresses(content: unknown): { uri: string; isThumbnail?: true }[] {
  const found = places.flatMap((place) => {
    const uri = place.reduce((value: unknown, key) => object(value)?.[key], content);
    if (typeof uri !== 'string' || !/^mxc:\/\/[^/?#\s]+\/[\w-]+$/.test(uri)) return [];
    return [{ uri, ...(place[0] === 'info' && { isThumbnail: true as const }) }];
  });
  return found.filter(({ uri }, index) => found.findIndex((other) => other.uri === uri) === index);
}
