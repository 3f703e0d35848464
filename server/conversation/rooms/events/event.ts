/** Events: hashes, signatures and event IDs. Matrix specification, room versions and server-server API, "Signing Events". */
import { hash } from 'node:crypto';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { CanonicalJsonError, canonicalJson } from '../../../../shared/canonical-json.ts';
import { type RoomVersion, redactEvent } from '../../../../shared/redaction.ts';
import { maximumKeyBytes } from '../../../platform/core/identifiers.ts';
import { badJson, MatrixError } from '../../../platform/core/matrix-error.ts';
import { defaultVersion, type RoomRules, rulesOf } from '../room-version.ts';
import { type SigningKey, signedText } from '../signing-key.ts';

/** An event in the form that is hashed and signed, without its event ID, which is a hash of it. */
export type Pdu = {
  auth_events: string[];
  content: JsonObject;
  depth: number;
  origin_server_ts: number;
  prev_events: string[];
  /** Unused, but part of the interface. */
  prev_state: [];
  room_id: string;
  sender: string;
  /** Event ID that the event redacts; in room versions before 11. */
  redacts?: string;
  /** Makes the hash of a create event unique, where the room ID is that hash. */
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
  /** The event as canonical JSON. */
  json: string;
  roomVersion: RoomVersion;
};

/** Maximum length of canonical JSON. */
const maximumEventBytes = 65_536;

/**
 * Refuses content that is too large, before anything slower walks through it.
 *
 * @throws MatrixError 413 `M_TOO_LARGE`
 */
export function requireEventSize(content: JsonObject): void {
  if (JSON.stringify(content).length > maximumEventBytes) throw tooLarge('event too large');
}

/**
 * Hashes and signs an event and computes its event ID.
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
    // A create event whose hash is the room ID can't contain it.
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

/** Room ID by create event, from room version 12. */
export const roomIdOf = (creationId: string) => `!${creationId.slice(1)}`;

/** Content hash for `hashes.sha256`. */
export function contentHash({ hashes: _, ...event }: JsonObject): string {
  return sha256(signedText(event), 'base64');
}

/** Event ID from room version 4: the reference hash, of the redacted event. */
export function referenceEventId(event: JsonObject, version: RoomVersion): string {
  return `$${sha256(signedText(redactEvent(event, version)), 'base64url')}`;
}

/** Without padding. */
const sha256 = (text: string, encoding: 'base64' | 'base64url') =>
  hash('sha256', text, encoding).replace('=', '');
const tooLarge = (sentence: string) => new MatrixError(413, 'M_TOO_LARGE', sentence);
