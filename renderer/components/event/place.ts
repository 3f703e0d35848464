/** Where a message says that something is. Nothing of it is ever looked up: a map is a remote load. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { amount, object, text } from './read-json.ts';

export type Place = {
  /** Absent where the address isn't one of a place on Earth. */
  coordinates?: { latitude: number; longitude: number; altitude?: number; uncertainty?: number };
  /** As it was sent. */
  uri?: string;
  description?: string;
  /** Whether it says where its sender is, and not where a thing is. */
  own: boolean;
  /** Whether it goes on being told. */
  live?: boolean;
  /** When it was so, in milliseconds. */
  at?: number;
};

export function placeOf(content: JsonObject): Place {
  const location = object(content['m.location']) ?? object(content['org.matrix.msc3488.location']) ?? {};
  const asset = object(content['m.asset']) ?? object(content['org.matrix.msc3488.asset']);
  const uri = text(content.geo_uri) ?? text(location.uri);
  return {
    coordinates: uri === undefined ? undefined : coordinatesOf(uri),
    uri,
    description: text(location.description) ?? text(content.description) ?? text(content.body),
    own: text(asset?.type) === 'm.self',
    live: typeof content.live === 'boolean' ? content.live : undefined,
    at: amount(content['m.ts']) ?? amount(content['org.matrix.msc3488.ts']),
  };
}

const geoUri =
  /^geo:(-?\d{1,3}(?:\.\d{1,20})?),(-?\d{1,3}(?:\.\d{1,20})?)(?:,(-?\d{1,6}(?:\.\d{1,20})?))?(;.*)?$/i;

/** RFC 5870, as far as chat clients use it. */
function coordinatesOf(uri: string): Place['coordinates'] {
  const [, latitude, longitude, altitude, parameters = ''] = geoUri.exec(uri.slice(0, 400)) ?? [];
  if (latitude === undefined || Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) {
    return undefined;
  }
  const uncertainty = /;u=(\d{1,9}(?:\.\d{1,9})?)(?:;|$)/i.exec(parameters)?.[1];
  return {
    latitude: Number(latitude),
    longitude: Number(longitude),
    ...(altitude !== undefined && { altitude: Number(altitude) }),
    ...(uncertainty !== undefined && { uncertainty: Number(uncertainty) }),
  };
}
