import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type UserDevice, userDevicesQuery } from '../../../api/user.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { clipped } from '../../../components/event/read-json.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useServer } from '../../../console-context.ts';
import { Loaded } from './Loaded.tsx';
import classes from './ReportDetail.module.css';

const mostListed = 50;

/** From what and where somebody was last seen. */
export function UserDevices({ userId }: { userId: string }) {
  const query = useQuery(userDevicesQuery(useServer(), userId));
  return (
    <Loaded query={query} loading={i18n.t('Loading devices…')} gone={i18n.t('No devices are known.')}>
      {(devices) => <Devices devices={devices} />}
    </Loaded>
  );
}

function Devices({ devices }: { devices: UserDevice[] }) {
  if (devices.length === 0) return <span className={classes.dim}>{i18n.t('Signed in on no device')}</span>;
  const lastFirst = devices.toSorted((one, other) => (other.last_seen_ts ?? 0) - (one.last_seen_ts ?? 0));
  const last = lastFirst[0]?.last_seen_ts;
  return (
    <Disclosure
      label={i18n.t('{count, plural, one {# device} other {# devices}}', { count: devices.length })}
      facts={
        last ? (
          <>
            {i18n.t('last seen')} <RelativeTime timestamp={last} long />
          </>
        ) : undefined
      }
    >
      <ul className={classes.entries}>
        {lastFirst.slice(0, mostListed).map((device) => (
          <li key={device.device_id}>
            <HazardText text={clipped(device.display_name || device.device_id, 200)} />
            <span className={classes.dim}>
              {device.last_seen_ts ? (
                <RelativeTime timestamp={device.last_seen_ts} long />
              ) : (
                i18n.t('never seen')
              )}
              {device.last_seen_ip && (
                <>
                  {' · '}
                  <code>
                    <HazardText text={clipped(device.last_seen_ip, 100)} />
                  </code>
                </>
              )}
              {device.last_seen_user_agent && (
                <>
                  {' · '}
                  <HazardText text={clipped(device.last_seen_user_agent, 200)} />
                </>
              )}
            </span>
          </li>
        ))}
        {devices.length > mostListed && (
          <li className={classes.dim}>
            {i18n.t('{count, plural, one {… and # more} other {… and # more}}', {
              count: devices.length - mostListed,
            })}
          </li>
        )}
      </ul>
    </Disclosure>
  );
}
