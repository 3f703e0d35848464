import { i18n } from '@lingui/core';
import { Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import {
  explainJwt,
  getJwtSettings,
  type JwtCheck,
  type JwtCheckName,
  type JwtExplanation,
} from '../../../../shared/workbench/jwt.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { JsonViewer } from '../../../components/json/JsonViewer.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import type { Workbench } from '../../../transport/workbench.ts';
import { exactTime, relativeTime } from '../../../words/format.ts';
import { useBench } from '../bench.ts';
import classes from './Jwt.module.css';

/** Whoever tries tokens changes the configuration beside it, and starts the server again. */
const asksEveryMs = 5_000;

export const jwtKey = ({ id }: Workbench['connection']) => [id, 'workbench', 'jwt'];

export const jwtSettingsQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: jwtKey(connection),
    queryFn: ({ signal }) => get(getJwtSettings.response[200], workbenchPaths.jwtSettings, signal),
    refetchInterval: asksEveryMs,
  });

/** What the server would say of a token. A time passes while one looks at it: what was said is not kept. */
const explanationQuery = ({ connection, send }: Workbench, token: string) =>
  queryOptions({
    queryKey: [...jwtKey(connection), 'explain', token],
    queryFn: () => send('POST', explainJwt.response[200], workbenchPaths.jwtExplain, { token }),
    enabled: token !== '',
    placeholderData: keepPreviousData,
    refetchInterval: asksEveryMs,
    gcTime: 0,
  });

const pauseMs = 250;

const names: Record<JwtCheckName, string> = {
  enabled: /*i18n*/ 'JWT login',
  form: /*i18n*/ 'Format',
  header: /*i18n*/ 'Header',
  algorithm: /*i18n*/ 'Algorithm',
  extensions: /*i18n*/ 'Extensions',
  signature: /*i18n*/ 'Signature',
  claims: /*i18n*/ 'Claims',
  issuer: /*i18n*/ 'Issuer',
  audience: /*i18n*/ 'Audience',
  not_before: /*i18n*/ 'Not before',
  expiry: /*i18n*/ 'Expires',
  issued_at: /*i18n*/ 'Issued',
  subject: /*i18n*/ 'User',
  user: /*i18n*/ 'Account',
};

/** A token with everything that the server says of it. Nothing is decided here. */
export function TokenApart({ token, onChange }: { token: string; onChange: (token: string) => void }) {
  const bench = useBench();
  const [settled] = useDebouncedValue(token.trim(), pauseMs);
  const query = useQuery(explanationQuery(bench, settled));
  return (
    <>
      <Textarea
        className={classes.area ?? ''}
        label={i18n.t('Token')}
        placeholder={i18n.t('Paste a token')}
        autosize
        minRows={3}
        maxRows={8}
        value={token}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      {settled !== '' && (
        <Loaded
          query={query}
          loading={i18n.t('Loading checks…')}
          lines={6}
          gone={i18n.t('Token checks not supported')}
        >
          {(explanation) => <Explanation explanation={explanation} at={query.dataUpdatedAt} />}
        </Loaded>
      )}
    </>
  );
}

/** @param at when the server said so, by the clock of this machine, which mostly is the server's own */
function Explanation({ explanation, at }: { explanation: JwtExplanation; at: number }) {
  const { checks, accepted, refusal, hint, localpart, header, claims } = explanation;
  return (
    <>
      <p role="status" className={classes.verdict} data-accepted={accepted}>
        {accepted
          ? i18n.t('Accepted, logs in {localpart}', { localpart: localpart ?? '' })
          : i18n.t('Rejected: {refusal}', { refusal: refusal ?? '' })}
      </p>
      {hint !== undefined && <p>{hint}</p>}
      <ol className={classes.checks} aria-label={i18n.t('Server checks, in order')}>
        {checks.map((check) => (
          <Check key={check.check} check={check} when={whenOf(check.check, claims)} at={at} />
        ))}
      </ol>
      <div className={classes.sides}>
        {header && (
          <div>
            <JsonViewer key={JSON.stringify(header)} value={header} label={i18n.t('Header')} />
          </div>
        )}
        {claims && (
          <div>
            <JsonViewer key={JSON.stringify(claims)} value={claims} label={i18n.t('Claims')} />
          </div>
        )}
      </div>
    </>
  );
}

const claimsOfTime: Partial<Record<JwtCheckName, string>> = {
  not_before: 'nbf',
  expiry: 'exp',
  issued_at: 'iat',
};

/** The moment that a check is about, in milliseconds since the Unix epoch. */
function whenOf(check: string, claims: JwtExplanation['claims']): number | undefined {
  const claim = claimsOfTime[check as JwtCheckName];
  const seconds = claim && claims?.[claim];
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

type CheckProps = { check: JwtCheck; when: number | undefined; at: number };

function Check({ check: { check, passed, sentence }, when, at }: CheckProps) {
  const [Icon, word] =
    passed === null
      ? [IconMinus, i18n.t('Not checked')]
      : passed
        ? [IconCheck, i18n.t('Passed')]
        : [IconX, i18n.t('Failed')];
  return (
    <li className={classes.check} data-passed={String(passed)}>
      <Icon size={15} role="img" aria-label={word} />
      <span className={classes.name}>{i18n.t(names[check as JwtCheckName])}</span>
      <span className={classes.sentence}>
        <HazardText text={sentence} />
        {when !== undefined && (
          <span className={classes.moment}>
            {exactTime(when)}{' '}
            {i18n.t("({distance} by this computer's clock)", { distance: relativeTime(when, at, 'long') })}
          </span>
        )}
      </span>
    </li>
  );
}
