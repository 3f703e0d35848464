import { i18n } from '@lingui/core';
import { Textarea, TextInput } from '@mantine/core';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { readJson } from '../../../../shared/read-json.ts';
import type { JwtSettings } from '../../../../shared/workbench/jwt.ts';
import { fullTime } from '../../../words/format.ts';
import classes from './Jwt.module.css';

/** Returns undefined if the text isn't a JSON object. */
export function parseClaims(text: string): JsonObject | undefined {
  try {
    const value: unknown = readJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

export const formatClaims = (claims: JsonObject): string => JSON.stringify(claims, null, 2);

/** NumericDate claims, in seconds since 1970. */
const timeClaims = ['exp', 'nbf', 'iat'];

/** Converts a field's text to a claim: times to numbers, comma-separated audiences to lists. */
function claimOf(name: string, text: string): unknown {
  if (timeClaims.includes(name) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (name === 'aud' && text.includes(',')) return text.split(',').map((part) => part.trim());
  return text;
}

/** Formats a claim for its field. */
function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(', ');
  return JSON.stringify(value);
}

const hour = 3600;

/** Returns claims that the server accepts. @param now in seconds since 1970 */
export function validClaims(settings: JwtSettings, localpart: string, now: number): JsonObject {
  return {
    [settings.subject_claim ?? 'sub']: localpart,
    ...(settings.issuer !== undefined && { iss: settings.issuer }),
    ...(settings.audiences?.[0] !== undefined && { aud: settings.audiences[0] }),
    iat: now,
    exp: now + hour,
  };
}

type Props = { settings: JwtSettings; text: string; onChange: (text: string) => void };

const claimLabels: Record<string, string> = {
  iss: /*i18n*/ 'Issuer',
  aud: /*i18n*/ 'Audience',
  exp: /*i18n*/ 'Expires',
  nbf: /*i18n*/ 'Not before',
  iat: /*i18n*/ 'Issued',
};

/** Edits the claims as fields and as JSON. The JSON text is the state; the fields are a view of it. */
export function ClaimsEditor({ settings, text, onChange }: Props) {
  const claims = parseClaims(text);
  const subject = settings.subject_claim ?? 'sub';
  const names = [
    subject,
    ...(settings.display_name_claim ? [settings.display_name_claim] : []),
    ...Object.keys(claimLabels),
  ];

  function setClaim(name: string, value: string) {
    if (!claims) return;
    const { [name]: _, ...others } = claims;
    onChange(formatClaims(value === '' ? others : { ...claims, [name]: claimOf(name, value) }));
  }

  return (
    <div className={classes.sides}>
      <div className={classes.claims}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={`${i18n.t(claimLabels[name] ?? (name === subject ? /*i18n*/ 'User' : /*i18n*/ 'Display name'))} (${name})`}
            description={timeClaims.includes(name) ? timeOf(claims?.[name]) : undefined}
            value={textOf(claims?.[name])}
            disabled={claims === undefined}
            onChange={(event) => setClaim(name, event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
          />
        ))}
      </div>
      <Textarea
        className={classes.area ?? ''}
        label={i18n.t('Claims as JSON')}
        autosize
        minRows={12}
        maxRows={24}
        value={text}
        error={claims ? undefined : i18n.t('Enter a JSON object.')}
        onChange={(event) => onChange(event.currentTarget.value)}
        spellCheck={false}
      />
    </div>
  );
}

/** Formats a time claim in local time. */
function timeOf(value: unknown): string {
  if (typeof value !== 'number') return i18n.t('Unix time (seconds)');
  const date = new Date(value * 1000);
  return Number.isNaN(date.getTime()) ? i18n.t('Unix time (seconds)') : fullTime(date);
}
