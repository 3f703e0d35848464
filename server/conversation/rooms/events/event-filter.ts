/** Event filters. Client-server API, "Filtering". */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { RoomEventFilter } from '../../../../shared/api/sync.ts';
import { readJson } from '../../../../shared/read-json.ts';
import { notJson } from '../../../platform/core/matrix-error.ts';
import { matchesSchema } from '../../../platform/http/validation.ts';

/** The parts of an event that filters use. */
export type Filtered = { type: string; sender?: string | undefined; content: JsonObject };

/** Undefined for a filter without conditions. */
export type EventTest = ((event: Filtered) => boolean) | undefined;

/** Returns the filter's test of events, without its conditions on rooms. */
export function eventTest(filter: RoomEventFilter = {}): EventTest {
  const { types, not_types, senders, not_senders, contains_url } = filter;
  const tests: ((event: Filtered) => boolean)[] = [];
  if (types) tests.push(isAnyOf(types));
  if (not_types?.length) tests.push(not(isAnyOf(not_types)));
  if (senders) {
    const wanted = new Set(senders);
    tests.push(({ sender }) => sender !== undefined && wanted.has(sender));
  }
  if (not_senders?.length) {
    const unwanted = new Set(not_senders);
    tests.push(({ sender }) => sender === undefined || !unwanted.has(sender));
  }
  if (contains_url !== undefined) {
    tests.push(({ content }) => (typeof content.url === 'string') === contains_url);
  }
  return tests.length === 0 ? undefined : (event) => tests.every((test) => test(event));
}

/** Returns the filter's test of rooms; undefined for all rooms. */
export function roomTest({
  rooms,
  not_rooms,
}: Pick<RoomEventFilter, 'rooms' | 'not_rooms'> = {}): ((roomId: string) => boolean) | undefined {
  if (!rooms && !not_rooms?.length) return undefined;
  const [wanted, unwanted] = [rooms && new Set(rooms), new Set(not_rooms)];
  return (roomId) => (wanted?.has(roomId) ?? true) && !unwanted.has(roomId);
}

const not =
  (test: (event: Filtered) => boolean) =>
  (event: Filtered): boolean =>
    !test(event);

function isAnyOf(patterns: readonly string[]): (event: Filtered) => boolean {
  const plain = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const globs = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  return ({ type }) => plain.has(type) || globs.some((pieces) => matches(pieces, type));
}

/** Matches a glob, split at `*`, in linear time: a regular expression could backtrack. */
function matches(pieces: readonly string[], text: string): boolean {
  const [first = '', ...others] = pieces;
  const last = others.pop() ?? '';
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  let position = first.length;
  const end = text.length - last.length;
  for (const piece of others) {
    const found = text.indexOf(piece, position);
    if (found === -1 || found + piece.length > end) return false;
    position = found + piece.length;
  }
  return position <= end;
}

const conditions = Object.entries(RoomEventFilter.properties);

/**
 * Parses the `filter` query parameter. Like Synapse, ignores invalid conditions.
 *
 * @throws MatrixError 400 `M_NOT_JSON` unless it is a JSON object
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
  const fields = value as Record<string, unknown>;
  const valid = conditions.filter(
    ([name, condition]) => Object.hasOwn(fields, name) && matchesSchema(condition, fields[name]),
  );
  return Object.fromEntries(valid.map(([name]) => [name, fields[name]]));
}
