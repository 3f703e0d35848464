import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { isExpected } from '../api/lenient.ts';
import { userDevicesQuery, whoIsQuery } from '../api/user.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { useServer } from '../console-context.ts';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import { ellipsize } from '../words/clip.ts';
import { Loaded } from './Loaded.tsx';
import classes from './subjects.module.css';

const maxListed = 50;

/** Lists a user's devices, or else their connections. */
export function UserDevices({ userId }: { userId: string }) {
  const query = useQuery(userDevicesQuery(useServer(), userId));
  // Some servers list connections only.
  if (query.error instanceof NoSuchEndpoint) return <Connections userId={userId} />;
  return (
    <Loaded query={query} loading={i18n.t('Loading devices…')} notFound={i18n.t('No known devices')}>
      {(devices) => (
        <ConnectionList
          label={i18n.t('{count, plural, one {# device} other {# devices}}', { count: devices.length })}
          none={i18n.t('No devices')}
          connections={devices
            .filter(isExpected)
            .map((device) => ({
              name: device.display_name || device.device_id,
              at: device.last_seen_ts,
              ip: device.last_seen_ip,
              agent: device.last_seen_user_agent,
            }))
            .sort((one, other) => (other.at ?? 0) - (one.at ?? 0))}
        />
      )}
    </Loaded>
  );
}

function Connections({ userId }: { userId: string }) {
  const query = useQuery(whoIsQuery(useServer(), userId));
  return (
    <Loaded query={query} loading={i18n.t('Loading devices…')} notFound={i18n.t('No known devices')}>
      {(connections) => (
        <ConnectionList
          label={i18n.t('{count, plural, one {# connection} other {# connections}}', {
            count: connections.length,
          })}
          none={i18n.t('No connections')}
          connections={connections.filter(isExpected).map(({ ip, last_seen, user_agent }) => ({
            name: user_agent || i18n.t('Unnamed app'),
            at: last_seen,
            ip,
          }))}
        />
      )}
    </Loaded>
  );
}

type Connection = {
  name: string;
  at: number | null | undefined;
  ip: string | null | undefined;
  agent?: string | null | undefined;
};

/** @param connections latest first */
function ConnectionList({
  label,
  none,
  connections,
}: {
  label: string;
  none: string;
  connections: Connection[];
}) {
  if (connections.length === 0) return <span className={classes.dim}>{none}</span>;
  const last = connections[0]?.at;
  return (
    <Disclosure
      label={label}
      facts={
        last ? (
          <>
            {i18n.t('last seen')} <RelativeTime timestamp={last} long />
          </>
        ) : undefined
      }
    >
      <ul className={classes.entries}>
        {connections.slice(0, maxListed).map((place, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no key
          <li key={index}>
            <HazardText text={ellipsize(place.name, 200)} />
            <span className={classes.dim}>
              {place.at ? <RelativeTime timestamp={place.at} long /> : i18n.t('never seen')}
              {place.ip && (
                <>
                  {' · '}
                  <code>
                    <HazardText text={ellipsize(place.ip, 100)} />
                  </code>
                </>
              )}
              {place.agent && (
                <>
                  {' · '}
                  <HazardText text={ellipsize(place.agent, 200)} />
                </>
              )}
            </span>
          </li>
        ))}
        {connections.length > maxListed && (
          <li className={classes.dim}>
            {i18n.t('{count, plural, other {… and # more}}', {
              count: connections.length - maxListed,
            })}
          </li>
        )}
      </ul>
    </Disclosure>
  );
}
