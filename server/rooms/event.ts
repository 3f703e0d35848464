/**
 * What an event is and how one is made: hashed, signed, named. Matrix specification, room versions and
 * server-server API, "Signing Events". Interface: "Event report", the shape of `event_json`.
 */
import { hash } from 'node:crypto';
import type { JsonObject } from '../../shared/api/common.ts';
import { CanonicalJsonError, canonicalJson } from '../../shared/canonical-json.ts';
import { type RoomVersion, redactEvent } from '../../shared/redaction.ts';
import { maximumKeyBytes } from '../core/identifiers.ts';
import { jsonInTurns } from '../core/json-in-turns.ts';
import { badJson, MatrixError } from '../core/matrix-error.ts';
import { longLevelsOf } from '../core/parse-in-turns.ts';
import { defaultVersion, type RoomRules, rulesOf } from './room-version.ts';
import { type SigningKey, signedText } from './signing-key.ts';

/** An event as it is hashed and signed. Its identifier is not in it: it is a hash of it. */
export type Pdu = {
  auth_events: string[];
  content: JsonObject;
  depth: number;
  origin_server_ts: number;
  prev_events: string[];
  /** Nothing reads it any more; the interface lists it. */
  prev_state: [];
  room_id: string;
  sender: string;
  /** In room versions before 11, what an event redacts. */
  redacts?: string;
  /** In a creation that its room is called by: no two are alike. */
  salt?: string;
  state_key?: string;
  type: string;
  unsigned: { age_ts: number; replaces_state?: string };
};

export type SignedPdu = Pdu & {
  hashes: { sha256: string };
  signatures: Record<string, Record<string, string>>;
};

export type FinishedEvent = {
  eventId: string;
  pdu: SignedPdu;
  /** The event as canonical JSON, as it is stored. */
  json: string;
  roomVersion: RoomVersion;
};

/** The largest event, in bytes of canonical JSON. */
const maximumEventBytes = 65_536;

/**
 * Refuses content that no event has room for, before anything walks through it: its canonical form has no fewer bytes
 * than its JSON has characters.
 *
 * @throws MatrixError 413 `M_TOO_LARGE`
 */
export async function requireEventSize(content: JsonObject): Promise<void> {
  const json = await jsonInTurns(content, longLevelsOf(content));
  if (json.length > maximumEventBytes) throw tooLarge('event too large');
}

/**
 * Hashes, signs and names an event.
 *
 * @throws MatrixError 413 `M_TOO_LARGE`; 400 `M_BAD_JSON` for content that has no canonical form
 */
export function finishEvent(
  pdu: Pdu,
  serverName: string,
  key: SigningKey,
  rules: RoomRules = rulesOf(defaultVersion) as RoomRules,
): FinishedEvent {
  for (const name of ['type', 'state_key', 'sender', 'room_id'] as const) {
    if (Buffer.byteLength(pdu[name] ?? '') > maximumKeyBytes) throw tooLarge(`'${name}' too large`);
  }
  try {
    // What a room is called by can't name the room.
    const { room_id, ...nameless } = pdu;
    const namesItself = rules.hasPrivilegedCreators && pdu.type === 'm.room.create';
    const event = namesItself ? nameless : pdu;
    const hashed = { ...event, hashes: { sha256: contentHash(event) } };
    const text = signedText(redactEvent(hashed, rules.version));
    const signed = { ...hashed, signatures: { [serverName]: { [key.keyId]: key.sign(text) } } };
    const json = canonicalJson(signed);
    if (Buffer.byteLength(json) > maximumEventBytes) throw tooLarge('event too large');
    // The signature and the event identifier cover the same text.
    const eventId = `$${sha256(text, rules.eventIds)}`;
    return {
      eventId,
      pdu: { ...signed, room_id: namesItself ? roomIdOf(eventId) : room_id },
      json,
      roomVersion: rules.version,
    };
  } catch (error) {
    if (error instanceof CanonicalJsonError) throw badJson(error.message);
    throw error;
  }
}

/** What a room is called whose creation this is, from version 12 on. */
export const roomIdOf = (creationId: string) => `!${creationId.slice(1)}`;

/** The hash that `hashes.sha256` has to hold: of the whole event, so that redaction shows. */
export function contentHash({ hashes: _, ...event }: JsonObject): string {
  return sha256(signedText(event), 'base64');
}

/** The identifier of an event in room versions from 4 on: a hash of what redaction leaves of it. */
export function referenceEventId(event: JsonObject, version: RoomVersion): string {
  return `$${sha256(signedText(redactEvent(event, version)), 'base64url')}`;
}

/** Without padding. */
const sha256 = (text: string, encoding: 'base64' | 'base64url') =>
  hash('sha256', text, encoding).replace('=', '');
const tooLarge = (sentence: string) => new MatrixError(413, 'M_TOO_LARGE', sentence);
