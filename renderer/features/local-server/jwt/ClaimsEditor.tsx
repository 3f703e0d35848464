import { i18n } from '@lingui/core';
import { Textarea, TextInput } from '@mantine/core';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { readJson } from '../../../../shared/read-json.ts';
import type { JwtSettings } from '../../../../shared/workbench/jwt.ts';
import { fullTime } from '../../../words/format.ts';
import classes from './Jwt.module.css';

// Claims as the workbench edits them: JSON text is what counts, and the form is a view of it.

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
const timeClaims = ['exp', 'nbf', 'iat'];

/** What a field's text means as a claim: a number where a time is, a list where commas are, else as it stands. */
function claimOf(name: string, text: string): unknown {
  if (timeClaims.includes(name) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (name === 'aud' && text.includes(',')) return text.split(',').map((part) => part.trim());
  return text;
}

/** A claim as a field shows it. */
function textOf(value: unknown): string {
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

type Props = { settings: JwtSettings; text: string; onChange: (text: string) => void };

const words: Record<string, string> = {
  iss: /*i18n*/ 'Issuer',
  aud: /*i18n*/ 'Audience',
  exp: /*i18n*/ 'Expires',
  nbf: /*i18n*/ 'Not before',
  iat: /*i18n*/ 'Issued',
};

/** The claims as fields and as JSON. What is typed into one is in the other at once. */
export function ClaimsEditor({ settings, text, onChange }: Props) {
  const claims = readClaims(text);
  const subject = settings.subject_claim ?? 'sub';
  const names = [
    subject,
    ...(settings.display_name_claim ? [settings.display_name_claim] : []),
    ...Object.keys(words),
  ];

  function set(name: string, typed: string) {
    if (!claims) return;
    const { [name]: _, ...others } = claims;
    onChange(writeClaims(typed === '' ? others : { ...claims, [name]: claimOf(name, typed) }));
  }

  return (
    <div className={classes.sides}>
      <div className={classes.claims}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={`${i18n.t(words[name] ?? (name === subject ? /*i18n*/ 'User' : /*i18n*/ 'Display name'))} (${name})`}
            description={timeClaims.includes(name) ? timeOf(claims?.[name]) : undefined}
            value={textOf(claims?.[name])}
            disabled={claims === undefined}
            onChange={(event) => set(name, event.currentTarget.value)}
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

/** When that is, in the person's own time; these claims count seconds. */
function timeOf(value: unknown): string {
  if (typeof value !== 'number') return i18n.t('Unix time (seconds)');
  const date = new Date(value * 1000);
  return Number.isNaN(date.getTime()) ? i18n.t('Unix time (seconds)') : fullTime(date);
}
