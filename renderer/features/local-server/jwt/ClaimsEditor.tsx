import { i18n } from '@lingui/core';
import { Textarea, TextInput } from '@mantine/core';
import type { JwtSettings } from '../../../../shared/workbench/jwt.ts';
import { fullTime } from '../../../words/format.ts';
import { claimOf, readClaims, textOf, timeClaims, writeClaims } from './claims.ts';
import own from './Jwt.module.css';

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
    <div className={own.sides}>
      <div className={own.claims}>
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
        className={own.area ?? ''}
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
