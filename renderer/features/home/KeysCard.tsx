import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { useQuery } from '@tanstack/react-query';
import { signingKeysQuery } from '../../api/signing-keys.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { list } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard, Verdict } from './HomeCard.tsx';

/** Less than that, and other servers may stop to trust it before anyone looks, in milliseconds. */
const soon = 60 * 60_000;

/** What ends by itself, as far as it can be known from here. */
export function KeysCard() {
  const server = useServer();
  const query = useQuery(signingKeysQuery(server));
  const title = i18n.t('Keys and certificates');
  return (
    <HomeCard title={title} link={title}>
      <Loaded
        query={query}
        loading={i18n.t('Asking for the signing keys…')}
        gone={i18n.t('The server shows no signing keys here.')}
      >
        {({ ids, retired, validUntil }) => (
          <>
            <Verdict tone={validUntil < Date.now() + soon ? 'grave' : 'good'}>
              {validUntil < Date.now() + soon ? (
                <Trans
                  id="Other servers trust the signing key no longer: that ended or ends <0/>"
                  components={{ 0: <RelativeTime timestamp={validUntil} long /> }}
                />
              ) : (
                <Trans
                  id="The signing key holds: other servers ask for it again <0/>"
                  components={{ 0: <RelativeTime timestamp={validUntil} long /> }}
                />
              )}
            </Verdict>
            <p className={classes.dim}>
              <HazardText text={list(ids.map((id) => id.slice(0, 100)))} />
              {retired > 0 && (
                <>
                  {' · '}
                  {i18n.t('{count, plural, one {one retired key} other {# retired keys}}', {
                    count: retired,
                  })}
                </>
              )}
            </p>
          </>
        )}
      </Loaded>
      <p className={classes.dim}>
        {server.connection.baseUrl.startsWith('https:')
          ? i18n.t('When the certificate ends can not be seen from here.')
          : i18n.t('The connection is plain HTTP: there is no certificate that could end.')}
      </p>
    </HomeCard>
  );
}
