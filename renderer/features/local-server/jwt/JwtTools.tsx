import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type JwtSettings, mintJwt } from '../../../../shared/workbench/jwt.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { CopyText } from '../../../components/CopyText.tsx';
import { FailureNote } from '../../../components/LoadStates.tsx';
import { PageSection } from '../../../components/page/Page.tsx';
import { useCommands, useConsole } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import classes from '../LocalServer.module.css';
import { useWorkbench } from '../workbench-context.ts';
import { ClaimsEditor, formatClaims, parseClaims, validClaims } from './ClaimsEditor.tsx';
import { type InvalidToken, invalidTokensFor, type TokenRecipe } from './invalid-tokens.ts';
import { KeySource, type SigningKey } from './KeyChoice.tsx';
import { jwtKey, jwtSettingsQuery, TokenInspector } from './TokenInspector.tsx';
import { TryLogin } from './TryLogin.tsx';

/** Creates JSON Web Tokens, shows the server's checks of them and logs in with them. */
export function JwtTools() {
  const query = useQuery(jwtSettingsQuery(useWorkbench()));
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <Loaded
          query={query}
          loading={i18n.t('Loading JWT settings…')}
          lines={8}
          notFound={i18n.t('JSON Web Tokens not supported')}
        >
          {(settings) => <Tools settings={settings} />}
        </Loaded>
      </div>
    </div>
  );
}

const now = () => Math.floor(Date.now() / 1000);

function Tools({ settings }: { settings: JwtSettings }) {
  const { connection, send } = useWorkbench();
  const { queryClient } = useConsole();
  // Follows the server's configuration until the user edits it.
  const defaultText = useMemo(() => formatClaims(validClaims(settings, 'ada', now())), [settings]);
  const [editedText, setText] = useState<string>();
  const text = editedText ?? defaultText;
  /** The claims' user before an invalid token removed it. */
  const [lastSubject, setLastSubject] = useState('ada');
  const [chosenKey, setSigning] = useState<SigningKey>();
  const signing = chosenKey ?? {
    kind: settings.can_sign ? 'configured' : 'generated',
    algorithm: settings.algorithm ?? 'HS256',
    key: '',
  };
  const [token, setToken] = useState('');
  const claims = parseClaims(text);
  const subject = subjectOf(settings, claims) ?? lastSubject;
  const key = signing.kind === 'configured' ? 'configured' : signing.key;

  const create = useMutation({
    mutationFn: async ({ truncated, ...recipe }: TokenRecipe) => {
      const { token } = await send('POST', mintJwt.response[200], workbenchPaths.jwtMint, recipe);
      return truncated ? token.slice(0, token.lastIndexOf('.')) : token;
    },
    onSuccess: (created) => {
      setToken(created);
      // The same token may be valid or invalid by now.
      void queryClient.invalidateQueries({ queryKey: jwtKey(connection) });
    },
    gcTime: 0,
  });
  const recipe = claims && { claims, algorithm: signing.algorithm, key };
  const blocker =
    recipe === undefined
      ? i18n.t('Claims must be a JSON object.')
      : key === ''
        ? i18n.t('Generate or paste a key.')
        : undefined;
  const submit = () => {
    if (recipe && !blocker) create.mutate(recipe);
  };
  useCommands([
    {
      id: 'create token',
      label: i18n.t('Create token'),
      group: 'JWT',
      keys: ['n'],
      icon: <IconSignature size={17} stroke={1.6} />,
      run: submit,
    },
  ]);

  return (
    <>
      <div className={classes.half}>
        {!settings.enabled && <JwtDisabled />}
        <PageSection title={i18n.t('Claims')} description={i18n.t('Form and JSON stay in sync.')}>
          <ClaimsEditor settings={settings} text={text} onChange={setText} />
          <div className={classes.buttons}>
            <Button
              variant="default"
              onClick={() => setText(formatClaims(validClaims(settings, subject, now())))}
            >
              {i18n.t('Use valid claims')}
            </Button>
          </div>
        </PageSection>
        <PageSection title={i18n.t('Key')} description={i18n.t('Signs the token.')}>
          <KeySource settings={settings} value={signing} onChange={setSigning} />
        </PageSection>
      </div>
      <div className={classes.half}>
        <PageSection title={i18n.t('Token')} description={i18n.t('Create or paste a token to check it.')}>
          <div className={classes.buttons}>
            <ButtonWithIcon
              icon={IconSignature}
              onClick={submit}
              loading={create.isPending}
              disabled={blocker !== undefined}
            >
              {i18n.t('Create token')}
            </ButtonWithIcon>
            {blocker && <span className={classes.dim}>{blocker}</span>}
          </div>
          <FailureNote className={classes.message} error={create.error} />
          <TokenInspector token={token} onChange={setToken} />
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
          <InvalidTokens
            settings={settings}
            onChoose={(invalid) => {
              const base: TokenRecipe = {
                claims: validClaims(settings, subject, now()),
                algorithm: signing.algorithm,
                key: key || 'not the key of any server, but long enough for every HMAC algorithm',
              };
              const recipe = invalid.from(base, now());
              setText(formatClaims(recipe.claims));
              setLastSubject(subject);
              create.mutate(recipe);
            }}
          />
        </PageSection>
      </div>
    </>
  );
}

/** Returns the claims' user, if valid. */
function subjectOf(settings: JwtSettings, claims: Record<string, unknown> | undefined): string | undefined {
  const subject = claims?.[settings.subject_claim ?? 'sub'];
  return typeof subject === 'string' && subject !== '' ? subject : undefined;
}

const example = `jwt_config:
  enabled: true
  secret: "a long shared secret"
  algorithm: HS256`;

/** Shown if JWT login is off. Tokens can still be created and checked. */
function JwtDisabled() {
  return (
    <PageSection title={i18n.t('JWT login is off')}>
      <p role="status">{i18n.t('To accept tokens, homeserver.yaml needs, for example:')}</p>
      <CopyText block text={example} label={i18n.t('Example jwt_config')} />
      <div>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/local-server/$part" params={{ part: 'configuration' }} />
          )}
        >
          {i18n.t('Open configuration')}
        </Button>
      </div>
    </PageSection>
  );
}

function InvalidTokens({
  settings,
  onChoose,
}: {
  settings: JwtSettings;
  onChoose: (invalid: InvalidToken) => void;
}) {
  return (
    <div className={classes.buttons}>
      {invalidTokensFor(settings).map((invalid) => (
        <Button key={invalid.id} variant="default" onClick={() => onChoose(invalid)}>
          {i18n.t(invalid.label)}
        </Button>
      ))}
    </div>
  );
}
