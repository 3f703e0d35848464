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
import { exactTime, relativeTime } from '../../../components/time.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import type { Workbench } from '../../../transport/workbench.ts';
import { useWorkbench } from '../workbench-context.ts';
import classes from './Jwt.module.css';

/** The configuration may change in another tab, and tokens expire. */
const pollMs = 5_000;

export const jwtKey = ({ id }: Workbench['connection']) => [id, 'workbench', 'jwt'];

export const jwtSettingsQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: jwtKey(connection),
    queryFn: ({ signal }) => get(getJwtSettings.response[200], workbenchPaths.jwtSettings, signal),
    refetchInterval: pollMs,
  });

/** The token with the server's checks; never stored. */
const explanationQuery = ({ connection, send }: Workbench, token: string) =>
  queryOptions({
    queryKey: [...jwtKey(connection), 'explain', token],
    queryFn: () => send('POST', explainJwt.response[200], workbenchPaths.jwtExplain, { token }),
    enabled: token !== '',
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
    gcTime: 0,
  });

const debounceMs = 250;

const checkNames: Record<JwtCheckName, string> = {
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

/** A token with the result of each check by the server. */
export function TokenInspector({ token, onChange }: { token: string; onChange: (token: string) => void }) {
  const workbench = useWorkbench();
  const [debounced] = useDebouncedValue(token.trim(), debounceMs);
  const query = useQuery(explanationQuery(workbench, debounced));
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
      {debounced !== '' && (
        <Loaded
          query={query}
          loading={i18n.t('Loading checks…')}
          lines={6}
          notFound={i18n.t('Token checks not supported')}
        >
          {(explanation) => <Explanation explanation={explanation} at={query.dataUpdatedAt} />}
        </Loaded>
      )}
    </>
  );
}

/** @param at when the checks ran, by this computer's clock, in milliseconds since 1970 */
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
          <Check key={check.check} check={check} time={timeOf(check.check, claims)} at={at} />
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

const timeClaims: Partial<Record<JwtCheckName, string>> = {
  not_before: 'nbf',
  expiry: 'exp',
  issued_at: 'iat',
};

/** Returns the time that a check compares, in milliseconds since 1970. */
function timeOf(check: string, claims: JwtExplanation['claims']): number | undefined {
  const claim = timeClaims[check as JwtCheckName];
  const seconds = claim && claims?.[claim];
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

type CheckProps = { check: JwtCheck; time: number | undefined; at: number };

function Check({ check: { check, passed, sentence }, time, at }: CheckProps) {
  const [Icon, label] =
    passed === null
      ? [IconMinus, i18n.t('Not checked')]
      : passed
        ? [IconCheck, i18n.t('Passed')]
        : [IconX, i18n.t('Failed')];
  return (
    <li className={classes.check} data-passed={String(passed)}>
      <Icon size={15} role="img" aria-label={label} />
      <span className={classes.name}>{i18n.t(checkNames[check as JwtCheckName])}</span>
      <span className={classes.sentence}>
        <HazardText text={sentence} />
        {time !== undefined && (
          <span className={classes.time}>
            {exactTime(time)}{' '}
            {i18n.t("({distance} by this computer's clock)", { distance: relativeTime(time, at, 'long') })}
          </span>
        )}
      </span>
    </li>
  );
}
