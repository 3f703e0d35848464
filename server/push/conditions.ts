/** When a rule holds. Matrix specification, client-server API, "Conditions". */
import type { JsonObject } from '../../shared/api/common.ts';
import { isObject } from '../../shared/is-object.ts';
import type { Steps } from '../core/glob.ts';
import type { Condition } from './push-rule.ts';
import { containsWords, type SearchedText, searchedText, textPattern } from './text-match.ts';

/** An event as rules look at it. */
export type EventInRoom = {
  event: JsonObject;
  joinedMembers: number;
  /** Whether the sender's power is enough for this kind of notification, such as `room`. */
  mayNotify(kind: string): boolean;
  /** The text of a message; undefined where it has none. */
  body: SearchedText | undefined;
  /** Whether it says itself whom it mentions: then nobody's name is looked for in its text. */
  hasMentions: boolean;
};

/** Whom a rule is asked for. */
export type Addressee = { displayName: string | undefined; steps: Steps };

export type Check = (event: EventInRoom, addressee: Addressee) => boolean;

/** Makes an event ready for rules. */
export function eventInRoom(
  event: JsonObject,
  facts: Pick<EventInRoom, 'joinedMembers' | 'mayNotify'>,
): EventInRoom {
  const content = (event.content ?? {}) as JsonObject;
  const mentions = content['m.mentions'];
  return {
    event,
    ...facts,
    body: typeof content.body === 'string' ? searchedText(content.body) : undefined,
    hasMentions: isObject(mentions),
  };
}

const never: Check = () => false;

/** What a condition asks; one of a kind that is not known never holds. */
export function checkOf(condition: Condition): Check {
  const { kind, key, pattern, value, is } = condition;
  switch (kind) {
    case 'event_match':
      return typeof key === 'string' && typeof pattern === 'string' ? eventMatch(key, pattern) : never;
    case 'event_property_is':
      return typeof key === 'string' && isPrimitive(value) ? propertyIs(key, value) : never;
    case 'event_property_contains':
      return typeof key === 'string' && isPrimitive(value) ? propertyContains(key, value) : never;
    case 'contains_display_name':
      return ({ body }, { displayName }) =>
        body !== undefined &&
        displayName !== undefined &&
        containsWords(body.text, displayName.toLowerCase());
    case 'room_member_count':
      return typeof is === 'string' ? memberCount(is) : never;
    case 'sender_notification_permission':
      return typeof key === 'string' ? ({ mayNotify }) => mayNotify(key) : never;
    default:
      return never;
  }
}

function eventMatch(key: string, pattern: string): Check {
  const matcher = textPattern(pattern);
  if (key === 'content.body') {
    return ({ body }, { steps }) => body !== undefined && matcher.isIn(body, steps);
  }
  const path = pathOf(key);
  return ({ event }, { steps }) => {
    const value = valueAt(event, path);
    return typeof value === 'string' && matcher.isWhole(value, steps);
  };
}

function propertyIs(key: string, wanted: unknown): Check {
  const path = pathOf(key);
  return ({ event }) => valueAt(event, path) === wanted;
}

function propertyContains(key: string, wanted: unknown): Check {
  const path = pathOf(key);
  return ({ event }) => {
    const value = valueAt(event, path);
    return Array.isArray(value) && value.includes(wanted);
  };
}

function memberCount(is: string): Check {
  const [, sign = '', digits] = /^(==|<=|>=|<|>)?(\d{1,9})$/.exec(is) ?? [];
  if (digits === undefined) return never;
  const wanted = Number(digits);
  const holds = {
    '': (count: number) => count === wanted,
    '==': (count: number) => count === wanted,
    '<': (count: number) => count < wanted,
    '>': (count: number) => count > wanted,
    '<=': (count: number) => count <= wanted,
    '>=': (count: number) => count >= wanted,
  }[sign];
  return ({ joinedMembers }) => holds?.(joinedMembers) ?? false;
}

const isPrimitive = (value: unknown) =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);

/** The names on the way to a property: with dots between them, those in a name behind a backslash. */
function pathOf(key: string): string[] {
  const path: string[] = [];
  let name = '';
  for (let at = 0; at < key.length; at++) {
    const isEscape = key[at] === '\\' && (key[at + 1] === '.' || key[at + 1] === '\\');
    if (key[at] === '.') {
      path.push(name);
      name = '';
    } else {
      name += key[isEscape ? ++at : at];
    }
  }
  return [...path, name];
}

function valueAt(event: JsonObject, path: readonly string[]): unknown {
  let value: unknown = event;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as JsonObject)[name];
  }
  return value;
}
