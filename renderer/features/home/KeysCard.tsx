import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { useQuery } from '@tanstack/react-query';
import { signingKeysQuery } from '../../api/signing-keys.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { beginning } from '../../words/beginning.ts';
import { list } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard, Verdict } from './HomeCard.tsx';

/** Less than that, and other servers may stop to trust it before anyone looks, in milliseconds. */
const soon = 60 * 60_000;
/** What renews certificates by itself has done it long before, in milliseconds. */
const renewBefore = 14 * 24 * 60 * 60_000;

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
              <HazardText text={list(ids.map((id) => beginning(id, 100)))} />
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
      <Certificate />
    </HomeCard>
  );
}

/** Only the desktop app sees the certificate of a connection. */
function Certificate() {
  const { id, connection } = useServer();
  const { shell } = useConsole().host;
  const isEncrypted = connection.baseUrl.startsWith('https:');
  const { data: end, isPending } = useQuery({
    queryKey: [id, 'certificate'],
    queryFn: async () => (await shell?.certificateEnd(id)) ?? null,
    enabled: isEncrypted && shell !== undefined,
    staleTime: 60 * 60_000,
  });
  if (!isEncrypted || !shell) {
    return (
      <p className={classes.dim}>
        {isEncrypted
          ? i18n.t('A browser does not tell a page when a certificate ends; the desktop app shows it.')
          : i18n.t('The connection is plain HTTP: there is no certificate that could end.')}
      </p>
    );
  }
  if (isPending) return null;
  if (!end) {
    return <p className={classes.dim}>{i18n.t('When the certificate ends can not be seen from here.')}</p>;
  }
  const time = { 0: <RelativeTime timestamp={end} long /> };
  return (
    <Verdict tone={end < Date.now() + renewBefore ? 'grave' : 'good'}>
      {end < Date.now() ? (
        <Trans
          id="The certificate ended <0/>: nobody should trust the server until it has another"
          components={time}
        />
      ) : end < Date.now() + renewBefore ? (
        <Trans id="The certificate ends <0/>: renew it" components={time} />
      ) : (
        <Trans id="The certificate holds: it ends <0/>" components={time} />
      )}
    </Verdict>
  );
}
