/**
 * What an event is and how one is made: hashed, signed, named. Matrix specification, room version 11 and
 * server-server API, "Signing Events". Interface: "Event report", the shape of `event_json`.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../shared/api/common.ts';
import { CanonicalJsonError, canonicalJson } from '../../shared/canonical-json.ts';
import { type RoomVersion, redactEvent } from '../../shared/redaction.ts';
import { maximumKeyBytes } from '../core/identifiers.ts';
import { badJson, MatrixError } from '../core/matrix-error.ts';
import { type SigningKey, signedText, unpaddedBase64 } from './signing-key.ts';

/** The version of every room made here. */
export const roomVersion = '11' satisfies RoomVersion;

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
};

/** The largest event, in bytes of canonical JSON. */
export const maximumEventBytes = 65_536;

/**
 * Hashes, signs and names an event.
 *
 * @throws MatrixError 413 `M_TOO_LARGE`; 400 `M_BAD_JSON` for content that has no canonical form
 */
export function finishEvent(pdu: Pdu, serverName: string, key: SigningKey): FinishedEvent {
  for (const name of ['type', 'state_key', 'sender', 'room_id'] as const) {
    if (Buffer.byteLength(pdu[name] ?? '') > maximumKeyBytes) throw tooLarge(`'${name}' too large`);
  }
  try {
    const hashed = { ...pdu, hashes: { sha256: contentHash(pdu) } };
    const text = signedText(redactEvent(hashed, roomVersion));
    const signed: SignedPdu = { ...hashed, signatures: { [serverName]: { [key.keyId]: key.sign(text) } } };
    const json = canonicalJson(signed);
    if (Buffer.byteLength(json) > maximumEventBytes) throw tooLarge('event too large');
    // The signature and the event identifier cover the same text.
    return { eventId: `$${sha256(text).toString('base64url')}`, pdu: signed, json };
  } catch (error) {
    if (error instanceof CanonicalJsonError) throw badJson(error.message);
    throw error;
  }
}

/** The hash that `hashes.sha256` has to hold: of the whole event, so that redaction shows. */
export function contentHash({ hashes: _, ...event }: JsonObject): string {
  return unpaddedBase64(sha256(signedText(event)));
}

/** The identifier of an event in room versions from 4 on: a hash of what redaction leaves of it. */
export function referenceEventId(event: JsonObject, version: RoomVersion): string {
  return `$${sha256(signedText(redactEvent(event, version))).toString('base64url')}`;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const tooLarge = (sentence: string) => new MatrixError(413, 'M_TOO_LARGE', sentence);
