/** Claims as the workbench edits them: JSON text is what counts, and the form is a view of it. */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { readJson } from '../../../../shared/read-json.ts';
import type { JwtSettings } from '../../../../shared/workbench/jwt.ts';

/** The claims of a text; undefined where it is no JSON object. */
export function readClaims(text: string): JsonObject | undefined {
  try {
    const value: unknown = readJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

export const writeClaims = (claims: JsonObject): string => JSON.stringify(claims, null, 2);

/** Claims that hold times, in seconds since the Unix epoch. */
export const timeClaims = ['exp', 'nbf', 'iat'];

/** What a field's text means as a claim: a number where a time is, a list where commas are, else as it stands. */
export function claimOf(name: string, text: string): unknown {
  if (timeClaims.includes(name) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (name === 'aud' && text.includes(',')) return text.split(',').map((part) => part.trim());
  return text;
}

/** A claim as a field shows it. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ');
  return JSON.stringify(value);
}

const hour = 3600;

/** Claims that this server accepts, for a user. `now` is in seconds. */
export function goodClaims(settings: JwtSettings, localpart: string, now: number): JsonObject {
  return {
    [settings.subject_claim ?? 'sub']: localpart,
    ...(settings.issuer !== undefined && { iss: settings.issuer }),
    ...(settings.audiences?.[0] !== undefined && { aud: settings.audiences[0] }),
    iat: now,
    exp: now + hour,
  };
}
