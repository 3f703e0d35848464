import { isObject } from './is-object.ts';

/** Matrix specification, "Content repository" and "Sending encrypted attachments". */
const mediaPaths = [['url'], ['file', 'url'], ['info', 'thumbnail_url'], ['info', 'thumbnail_file', 'url']];

/** Returns the mxc URIs in an event's untrusted content, without duplicates. */
export function mediaUris(content: unknown): { uri: string; isThumbnail?: true }[] {
  const found = mediaPaths.flatMap((place) => {
    const uri = place.reduce((value: unknown, key) => (isObject(value) ? value[key] : undefined), content);
    if (typeof uri !== 'string' || !/^mxc:\/\/[^/?#\s]+\/[\w-]+$/.test(uri)) return [];
    return [{ uri, ...(place[0] === 'info' && { isThumbnail: true as const }) }];
  });
  return found.filter(({ uri }, index) => found.findIndex((other) => other.uri === uri) === index);
}
