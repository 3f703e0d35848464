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
import { certificateState, isKeyExpiring } from './expiry.ts';
import classes from './Home.module.css';
import { HomeCard, type StatusCard, toneOf, Verdict } from './HomeCard.tsx';

/** Shows the expiry of signing keys and certificate. */
export function useKeysCard(): StatusCard {
  const server = useServer();
  const query = useQuery(signingKeysQuery(server));
  const end = useCertificateEnd();
  const isCertificateDue = typeof end === 'number' && certificateState(end, Date.now()) !== 'valid';
  const isKeyDue = (validUntil: number) => isKeyExpiring(validUntil, Date.now());
  const tone = toneOf(query, ({ validUntil }) =>
    isCertificateDue || isKeyDue(validUntil) ? 'danger' : 'success',
  );
  const title = i18n.t('Keys and certificates');
  const card = (
    <HomeCard key="keys" title={title} tone={isCertificateDue ? 'danger' : tone}>
      <Loaded
        query={query}
        loading={i18n.t('Loading signing keys…')}
        notFound={i18n.t('Signing keys not available')}
        lines={1}
      >
        {({ ids, retired, validUntil }) => (
          <>
            <Verdict isMain tone={isKeyDue(validUntil) ? 'danger' : 'success'}>
              {isKeyDue(validUntil) ? i18n.t('Signing key expiring') : i18n.t('Signing key valid')}
            </Verdict>
            <p className={classes.dim}>
              {isKeyDue(validUntil) ? (
                <Trans
                  id="Expiry: <0/>. Remote servers reject expired keys."
                  components={{ 0: <RelativeTime timestamp={validUntil} long /> }}
                />
              ) : (
                <Trans
                  id="Other servers refresh it <0/>."
                  components={{ 0: <RelativeTime timestamp={validUntil} long /> }}
                />
              )}{' '}
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
      <Certificate end={end} />
    </HomeCard>
  );
  return { tone: isCertificateDue ? 'danger' : tone, card };
}

/** Returns the certificate's end; undefined while loading, null if unknown. Only the desktop app can read it. */
function useCertificateEnd(): number | null | undefined {
  const { id, connection } = useServer();
  const { shell } = useConsole().host;
  const isReadable = connection.baseUrl.startsWith('https:') && shell !== undefined;
  const { data } = useQuery({
    queryKey: [id, 'certificate'],
    queryFn: async () => (await shell?.certificateEnd(id)) ?? null,
    enabled: isReadable,
    staleTime: 60 * 60_000,
  });
  return data;
}

function Certificate({ end }: { end: number | null | undefined }) {
  const { connection } = useServer();
  const { shell } = useConsole().host;
  const isEncrypted = connection.baseUrl.startsWith('https:');
  if (!isEncrypted || !shell) {
    return (
      <p className={classes.dim}>
        {isEncrypted
          ? i18n.t('Use the desktop app to see certificate expiry.')
          : i18n.t('Plain HTTP, no certificate')}
      </p>
    );
  }
  if (end === undefined) return null;
  if (end === null) return <p className={classes.dim}>{i18n.t('Certificate expiry not available')}</p>;
  const time = { 0: <RelativeTime timestamp={end} long /> };
  const state = certificateState(end, Date.now());
  return (
    <Verdict tone={state === 'valid' ? 'success' : 'danger'}>
      {state === 'expired' ? (
        <Trans id="Certificate expired <0/>. Replace it." components={time} />
      ) : state === 'expiring' ? (
        <Trans id="Certificate expires <0/>. Renew it." components={time} />
      ) : (
        <Trans id="Certificate valid, expires <0/>" components={time} />
      )}
    </Verdict>
  );
}
