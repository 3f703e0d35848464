/** The filter that a request for a room's events brings along. Matrix specification, client-server API, "Filtering". */
import { RoomEventFilter } from '../../shared/api/filters.ts';
import { readJson } from '../../shared/read-json.ts';
import { notJson } from '../core/matrix-error.ts';
import { hasShape } from '../core/shape.ts';

const conditions = Object.entries(RoomEventFilter.properties);

/**
 * A filter; what of it makes no sense is left out, as at the reference homeserver.
 *
 * @throws MatrixError 400 `M_NOT_JSON` for what is no JSON object
 */
export function requestedEventFilter(text: string | undefined): RoomEventFilter {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = readJson(text);
  } catch {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw notJson('Query parameter filter must be a valid JSON object');
  }
  const given = value as Record<string, unknown>;
  const sensible = conditions.filter(
    ([name, condition]) => Object.hasOwn(given, name) && hasShape(condition, given[name]),
  );
  return Object.fromEntries(sensible.map(([name]) => [name, given[name]]));
}
