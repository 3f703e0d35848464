import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type JwtSettings, mintJwt } from '../../../../shared/workbench/jwt.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/Page.tsx';
import { useCommands, useConsole } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { failureSentence } from '../../../transport/refusal.ts';
import { useBench } from '../bench.ts';
import classes from '../LocalServer.module.css';
import { ClaimsEditor, goodClaims, readClaims, writeClaims } from './ClaimsEditor.tsx';
import { type Failure, failuresOf, type Recipe } from './failures.ts';
import { KeyChoice, type SigningKey } from './KeyChoice.tsx';
import { jwtKey, jwtSettingsQuery, TokenApart } from './TokenApart.tsx';
import { TryLogin } from './TryLogin.tsx';

/** Tokens made, taken apart as the server does it, and tried. */
export function JwtBench() {
  const query = useQuery(jwtSettingsQuery(useBench()));
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <Loaded
          query={query}
          loading={i18n.t('Loading JWT settings…')}
          lines={8}
          gone={i18n.t('JSON Web Tokens not supported')}
        >
          {(settings) => <Workbench settings={settings} />}
        </Loaded>
      </div>
    </div>
  );
}

const now = () => Math.floor(Date.now() / 1000);

function Workbench({ settings }: { settings: JwtSettings }) {
  const { connection, send } = useBench();
  const { queryClient } = useConsole();
  // As the server is configured, also when that has just changed, until the person writes or chooses something else.
  const beginning = useMemo(() => writeClaims(goodClaims(settings, 'ada', now())), [settings]);
  const [written, setText] = useState<string>();
  const text = written ?? beginning;
  /** Whom the claims were about before a failure took the name away. */
  const [person, setPerson] = useState('ada');
  const [chosen, setSigning] = useState<SigningKey>();
  const signing = chosen ?? {
    kind: settings.can_sign ? 'configured' : 'made',
    algorithm: settings.algorithm ?? 'HS256',
    key: '',
  };
  const [token, setToken] = useState('');
  const claims = readClaims(text);
  const subject = subjectOf(settings, claims) ?? person;
  const key = signing.kind === 'configured' ? 'configured' : signing.key;

  const mint = useMutation({
    mutationFn: async ({ cut, ...recipe }: Recipe) => {
      const made = await send('POST', mintJwt.response[200], workbenchPaths.jwtMint, recipe);
      return cut ? made.token.slice(0, made.token.lastIndexOf('.')) : made.token;
    },
    onSuccess: (made) => {
      setToken(made);
      // It may be the same one, of which the server says something else by now.
      void queryClient.invalidateQueries({ queryKey: jwtKey(connection) });
    },
    gcTime: 0,
  });
  const recipe = claims && { claims, algorithm: signing.algorithm, key };
  const missing =
    recipe === undefined
      ? i18n.t('Claims must be a JSON object.')
      : key === ''
        ? i18n.t('Generate or paste a key.')
        : undefined;
  const make = () => {
    if (recipe && !missing) mint.mutate(recipe);
  };
  useCommands([
    {
      id: 'mint token',
      label: i18n.t('Create token'),
      group: 'JWT',
      keys: ['n'],
      icon: <IconSignature size={17} stroke={1.6} />,
      run: make,
    },
  ]);

  return (
    <>
      <div className={classes.half}>
        {!settings.enabled && <JwtOff />}
        <PageSection title={i18n.t('Claims')} description={i18n.t('Form and JSON stay in sync.')}>
          <ClaimsEditor settings={settings} text={text} onChange={setText} />
          <div className={classes.buttons}>
            <Button
              variant="default"
              onClick={() => setText(writeClaims(goodClaims(settings, subject, now())))}
            >
              {i18n.t('Use valid claims')}
            </Button>
          </div>
        </PageSection>
        <PageSection title={i18n.t('Key')} description={i18n.t('Signs the token.')}>
          <KeyChoice settings={settings} value={signing} onChange={setSigning} />
        </PageSection>
      </div>
      <div className={classes.half}>
        <PageSection title={i18n.t('Token')} description={i18n.t('Create or paste a token to check it.')}>
          <div className={classes.buttons}>
            <Button
              leftSection={<IconSignature size={14} stroke={1.7} aria-hidden />}
              onClick={make}
              loading={mint.isPending}
              disabled={missing !== undefined}
            >
              {i18n.t('Create token')}
            </Button>
            {missing && <span className={classes.dim}>{missing}</span>}
          </div>
          {mint.error && (
            <p className={classes.message} role="alert">
              {failureSentence(mint.error)}
            </p>
          )}
          <TokenApart token={token} onChange={setToken} />
        </PageSection>
        {token !== '' && (
          <PageSection title={i18n.t('Login')} description={i18n.t('Client request and server response.')}>
            <TryLogin key={token} token={token.trim()} />
          </PageSection>
        )}
        <PageSection
          title={i18n.t('Invalid tokens')}
          description={i18n.t('Creates tokens that fail despite valid claims.')}
        >
          <Failures
            settings={settings}
            onChoose={(failure) => {
              const base: Recipe = {
                claims: goodClaims(settings, subject, now()),
                algorithm: signing.algorithm,
                key:
                  key ||
                  'nothing that any server has for its key, but long enough to sign with it all the same',
              };
              const made = failure.of(base, now());
              // What it is made of is there to be looked at, and mended.
              setText(writeClaims(made.claims));
              setPerson(subject);
              mint.mutate(made);
            }}
          />
        </PageSection>
      </div>
    </>
  );
}

/** Whom the claims are about; undefined where that can't be said. */
function subjectOf(settings: JwtSettings, claims: Record<string, unknown> | undefined): string | undefined {
  const subject = claims?.[settings.subject_claim ?? 'sub'];
  return typeof subject === 'string' && subject !== '' ? subject : undefined;
}

const example = `jwt_config:
  enabled: true
  secret: "a long shared secret"
  algorithm: HS256`;

/** Tokens can be made and taken apart all the same; a login with one is refused. */
function JwtOff() {
  return (
    <PageSection title={i18n.t('JWT login is off')}>
      <p role="status">{i18n.t('To accept tokens, homeserver.yaml needs, for example:')}</p>
      <CopyText block text={example} label={i18n.t('Example jwt_config')} />
      <div>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/local-server/$part"
              params={{ part: 'configuration' }}
              search={({ server }) => ({ server })}
            />
          )}
        >
          {i18n.t('Open configuration')}
        </Button>
      </div>
    </PageSection>
  );
}

type Props = { settings: JwtSettings; onChoose: (failure: Failure) => void };

function Failures({ settings, onChoose }: Props) {
  return (
    <div className={classes.buttons}>
      {failuresOf(settings).map((failure) => (
        <Button key={failure.id} variant="default" onClick={() => onChoose(failure)}>
          {i18n.t(failure.label)}
        </Button>
      ))}
    </div>
  );
}
