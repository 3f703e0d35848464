/** The fields of events that a client asks for. Matrix specification, client-server API, "Filtering". */
import type { JsonObject } from '../../../shared/api/common.ts';

/** @param fields paths with a dot between two names; a dot or a backslash in a name has a backslash before it */
export function pickFields(event: JsonObject, fields: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const field of fields) copy(event, picked, namesOf(field));
  return picked;
}

function copy(from: JsonObject, to: JsonObject, [name, ...others]: readonly string[]): void {
  if (name === undefined || name === '__proto__' || !Object.hasOwn(from, name)) return;
  const value = from[name];
  if (others.length === 0) {
    to[name] = value;
    return;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const inner = Object.hasOwn(to, name) ? (to[name] as JsonObject) : {};
  // What is there as a whole has this in it already.
  if (inner === value) return;
  copy(value as JsonObject, inner, others);
  if (Object.keys(inner).length > 0) to[name] = inner;
}

const namesOf = (field: string): string[] =>
  (field.match(/(?:\\.|[^.\\])+/g) ?? []).map((name) => name.replaceAll(/\\(.)/g, '$1'));
