import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { makeSignInLink } from '../../../../shared/workbench/people.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/Page.tsx';
import { failureSentence } from '../../../transport/failure-sentence.ts';
import { NotFound } from '../../../transport/refusal.ts';
import { useBench } from '../bench.ts';
import { clockWithSeconds } from '../clock.ts';
import classes from '../LocalServer.module.css';

/** A token for one `m.login.token` login, and the console's address with it. */
export function SignInLink() {
  const { send } = useBench();
  const [user, setUser] = useState('');
  const make = useMutation({
    mutationFn: () => send('POST', makeSignInLink.response[200], workbenchPaths.signInLink, { user }),
    gcTime: 0,
  });
  const link = make.data;

  function go(event: FormEvent) {
    event.preventDefault();
    if (user && !make.isPending) make.mutate();
  }

  return (
    <PageSection
      title={i18n.t('Sign-in link')}
      description={i18n.t('Single-use, short-lived sign-in without a password.')}
    >
      <form className={classes.fields} onSubmit={go} noValidate>
        <TextInput
          label={i18n.t('User')}
          placeholder="ada"
          value={user}
          onChange={(event) => setUser(event.currentTarget.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconLink size={14} stroke={1.7} aria-hidden />}
          disabled={user === ''}
          loading={make.isPending}
        >
          {i18n.t('Create link')}
        </Button>
      </form>
      {make.error && (
        <p className={classes.message} role="alert">
          {make.error instanceof NotFound
            ? i18n.t('User not found on this server')
            : failureSentence(make.error)}
        </p>
      )}
      {link && (
        <section className={classes.panel} aria-label={i18n.t('Sign-in link')}>
          <p role="status">
            {i18n.t('Valid once, until {time}. Shown once.', {
              time: clockWithSeconds(link.expires_ts),
            })}
          </p>
          <dl className={classes.facts}>
            {link.console_url && (
              <>
                <dt>{i18n.t('Console link')}</dt>
                <dd>
                  <CopyText text={link.console_url} label={i18n.t('Sign-in link')} />
                </dd>
              </>
            )}
            <dt>{i18n.t('Login token')}</dt>
            <dd>
              <CopyText text={link.login_token} label={i18n.t('Login token')} />
            </dd>
          </dl>
        </section>
      )}
    </PageSection>
  );
}
