import { i18n } from '@lingui/core';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Type } from 'typebox';
import { CopyText } from '../../components/CopyText.tsx';
import { useServer } from '../../console-context.ts';
import type { Server } from '../../transport/server.ts';
import classes from './Tokens.module.css';

/** Renders the invitation to send to users who may register with these tokens. */
export function Invitation({ tokens }: { tokens: readonly string[] }) {
  const server = useServer();
  const saved = registrationPage(server);
  const [page, setPage] = useState(saved.read);
  const [first = ''] = tokens;
  const { baseUrl } = server.connection;
  const isValid = registrationLink(page, first) !== undefined;
  const linkOf = (token: string) => registrationLink(page, token) ?? '';
  const text = carriesToken(page)
    ? tokens.map(linkOf).join('\n')
    : tokens
        .map((token) =>
          [
            i18n.t('Register: {link}', { link: linkOf(token) }),
            i18n.t('Homeserver: {server}', { server: baseUrl }),
            i18n.t('Registration token: {token}', { token }),
          ].join('\n'),
        )
        .join('\n\n');
  return (
    <section className={classes.invitation} aria-label={i18n.t('Invitation')}>
      <TextInput
        label={i18n.t('Registration page')}
        description={i18n.t(
          'Stored on this device. {place} is replaced by the token, for pages that read it from the link. Element asks for it instead.',
          { place: '{token}' },
        )}
        error={!isValid && i18n.t('Enter a web address.')}
        value={page}
        onChange={(event) => {
          setPage(event.currentTarget.value);
          if (registrationLink(event.currentTarget.value, first)) saved.write(event.currentTarget.value);
        }}
        autoComplete="off"
        spellCheck={false}
      />
      {isValid && (
        <CopyText
          block
          text={text}
          label={carriesToken(page) ? i18n.t('Registration link') : i18n.t('Invitation')}
        />
      )}
    </section>
  );
}

/** Default registration page. */
const defaultPage = 'https://app.element.io/#/register';

/** URL of the server's registration page, with `{token}` as a placeholder. */
const registrationPage = ({ id, deviceStorage }: Server) =>
  deviceStorage.open(`gatehouse.registration-page.${id}`, Type.String(), defaultPage);

/** Whether the page's links carry the token. */
const carriesToken = (page: string) => page.includes('{token}');

/** Returns the link to register with a token; undefined if the page isn't a web address. */
function registrationLink(page: string, token: string): string | undefined {
  const link = page.trim().replaceAll('{token}', encodeURIComponent(token));
  return /^https?:\/\/[^\s/]/.test(link) ? link : undefined;
}
