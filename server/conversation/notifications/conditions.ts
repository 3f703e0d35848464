/**
 * Conditions of push rules. Client-server API, "Conditions"; appendices, "Glob-style matching". Both patterns and texts
 * are untrusted: a match that takes too many steps fails.
 */
import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';
import { globMatches, type Steps } from '../../platform/core/patterns.ts';
import type { Condition } from './push-rule.ts';

/** Characters of a message that are searched. */
const maxText = 8_000;

type TextPattern = {
  /** Matches a whole value. */
  isWhole(value: string, steps: Steps): boolean;
  /** Matches whole words in a text. */
  isIn(text: SearchedText, steps: Steps): boolean;
};

/** Prepared once for all patterns. */
export type SearchedText = { text: string };

const searchedText = (text: string): SearchedText => ({
  text: text.slice(0, maxText).toLowerCase(),
});

/** Case-insensitive. */
export function textPattern(pattern: string): TextPattern {
  const folded = pattern.toLowerCase();
  if (!/[*?]/.test(folded)) return literal(folded);
  return {
    isWhole: (value, steps) => globMatches(folded, value.toLowerCase(), steps),
    isIn: ({ text }, steps) => {
      for (let start = 0; start <= text.length; start++) {
        if (steps.left <= 0) return false;
        steps.left--;
        if (!mayBegin(text, start)) continue;
        if (globBegins(folded, text, start, steps)) return true;
      }
      return false;
    },
  };
}

function literal(folded: string): TextPattern {
  return {
    isWhole: (value) => value.toLowerCase() === folded,
    isIn: ({ text }) => containsWords(text, folded),
  };
}

/** Both in lower case. */
export function containsWords(text: string, words: string): boolean {
  if (words === '') return false;
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (mayBegin(text, at) && mayEnd(text, at + words.length)) return true;
  }
  return false;
}

const isWord = (character: string | undefined) =>
  character !== undefined &&
  (/^[a-z0-9_]$/.test(character) || /^[\p{L}\p{N}\p{M}\p{Pc}\p{Cs}]$/u.test(character));

/** Matches begin and end at word boundaries. */
const mayBegin = (text: string, at: number) => at === 0 || !isWord(text[at - 1]) || !isWord(text[at]);
const mayEnd = (text: string, at: number) => at === text.length || !isWord(text[at]) || !isWord(text[at - 1]);

/** Whether the pattern matches at a position and ends at a word boundary. */
function globBegins(glob: string, text: string, start: number, steps: Steps): boolean {
  let [at, in_, star, resume] = [start, 0, -1, 0];
  for (;;) {
    if (steps.left-- <= 0) return false;
    if (in_ === glob.length && mayEnd(text, at)) return true;
    if (in_ < glob.length && glob[in_] === '*') {
      star = in_++;
      resume = at;
    } else if (at < text.length && in_ < glob.length && (glob[in_] === '?' || glob[in_] === text[at])) {
      in_++;
      at++;
    } else if (star !== -1 && resume < text.length) {
      in_ = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
}

export type EventInRoom = {
  event: JsonObject;
  joinedMembers: number;
  /** Whether the sender has the power level for this kind of notification, such as `room`. */
  mayNotify(kind: string): boolean;
  /** Undefined if the event has no text body. */
  body: SearchedText | undefined;
  /** Whether the event has `m.mentions`: then names in its body don't count. */
  hasMentions: boolean;
};

/** The user that a rule is evaluated for. */
export type Addressee = { displayName: string | undefined; steps: Steps };

export type Check = (event: EventInRoom, addressee: Addressee) => boolean;

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

/** Unknown conditions never match. */
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

function propertyIs(key: string, expected: unknown): Check {
  const path = pathOf(key);
  return ({ event }) => valueAt(event, path) === expected;
}

function propertyContains(key: string, expected: unknown): Check {
  const path = pathOf(key);
  return ({ event }) => {
    const value = valueAt(event, path);
    return Array.isArray(value) && value.includes(expected);
  };
}

function memberCount(is: string): Check {
  const [, sign = '', digits] = /^(==|<=|>=|<|>)?(\d{1,9})$/.exec(is) ?? [];
  if (digits === undefined) return never;
  const expected = Number(digits);
  const holds = {
    '': (count: number) => count === expected,
    '==': (count: number) => count === expected,
    '<': (count: number) => count < expected,
    '>': (count: number) => count > expected,
    '<=': (count: number) => count <= expected,
    '>=': (count: number) => count >= expected,
  }[sign];
  return ({ joinedMembers }) => holds?.(joinedMembers) ?? false;
}

const isPrimitive = (value: unknown) =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);

/** Splits at dots; `\\` escapes a dot or backslash. */
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
