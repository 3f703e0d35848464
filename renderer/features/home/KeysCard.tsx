import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { useQuery } from '@tanstack/react-query';
import { signingKeysQuery } from '../../api/server.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import { truncate } from '../../words/clip.ts';
import { list } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard, Verdict } from './HomeCard.tsx';

/** Below this remaining validity, remote servers may soon reject the key, in milliseconds. */
const expiryWarningMs = 60 * 60_000;
/** Automatic renewal happens well before this, in milliseconds. */
const renewalMs = 14 * 24 * 60 * 60_000;

/** Shows the expiry of signing keys and certificate. */
export function KeysCard() {
  const server = useServer();
  const query = useQuery(signingKeysQuery(server));
  const title = i18n.t('Keys and certificates');
  return (
    <HomeCard title={title} link={title}>
      <Loaded
        query={query}
        loading={i18n.t('Loading signing keys…')}
        notFound={i18n.t('Signing keys not available')}
      >
        {({ ids, retired, validUntil }) => (
          <>
            <Verdict tone={validUntil < Date.now() + expiryWarningMs ? 'grave' : 'good'}>
              {validUntil < Date.now() + expiryWarningMs ? (
                <Trans
                  id="Signing key expiry: <0/>. Remote servers reject expired keys."
                  components={{ 0: <RelativeTime timestamp={validUntil} long /> }}
                />
              ) : (
                <Trans
                  id="Signing key valid. Other servers refresh it <0/>."
                  components={{ 0: <RelativeTime timestamp={validUntil} long /> }}
                />
              )}
            </Verdict>
            <p className={classes.dim}>
              <HazardText text={list(ids.map((id) => truncate(id, 100)))} />
              {retired > 0 && (
                <>
                  {' · '}
                  {i18n.t('retired keys: {count}', {
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

/** Only the desktop app can read the certificate. */
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
          ? i18n.t('Use the desktop app to see certificate expiry.')
          : i18n.t('Plain HTTP, no certificate')}
      </p>
    );
  }
  if (isPending) return null;
  if (!end) {
    return <p className={classes.dim}>{i18n.t('Certificate expiry not available')}</p>;
  }
  const time = { 0: <RelativeTime timestamp={end} long /> };
  return (
    <Verdict tone={end < Date.now() + renewalMs ? 'grave' : 'good'}>
      {end < Date.now() ? (
        <Trans id="Certificate expired <0/>. Replace it." components={time} />
      ) : end < Date.now() + renewalMs ? (
        <Trans id="Certificate expires <0/>. Renew it." components={time} />
      ) : (
        <Trans id="Certificate valid, expires <0/>" components={time} />
      )}
    </Verdict>
  );
}
