/** Counts the reports viewed on this device today, so that moderators notice when it's time for a break. */
import { useEffect } from 'react';
import { Type } from 'typebox';
import { useConsole } from '../console-context.ts';
import type { DeviceStorage } from '../persisted.ts';
import { useStoreValue } from '../subscribers.ts';
import { dayOf } from '../words/format.ts';
import { exposureSetting } from './media/preview-settings.ts';

const Viewed = Type.Object({ day: Type.String(), reports: Type.Array(Type.String()) });
const nothing = { day: '', reports: [] };

const viewedReports = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.reports.viewed', Viewed, nothing);

const today = () => dayOf(Date.now());

/** Begins the entries of a server. */
const serverPrefix = (serverId: string) => `${serverId} `;

/** Counts a report as viewed today, once. */
export function useExposure(serverId: string, reportId: number | string): void {
  const { deviceStorage } = useConsole();
  const key = `${serverPrefix(serverId)}${reportId}`;
  useEffect(() => {
    if (!exposureSetting(deviceStorage).read()) return;
    const viewed = viewedReports(deviceStorage);
    const { day, reports } = viewed.read();
    const before = day === today() ? reports : [];
    if (!before.includes(key)) viewed.write({ day: today(), reports: [...before, key] });
  }, [deviceStorage, key]);
}

/** Deletes a server's viewed reports. */
export function forgetExposure(deviceStorage: DeviceStorage, serverId: string) {
  const viewed = viewedReports(deviceStorage);
  const { day, reports } = viewed.read();
  viewed.write({ day, reports: reports.filter((key) => !key.startsWith(serverPrefix(serverId))) });
}

/** Returns the number of reports viewed today; undefined if they aren't counted. */
export function useViewedToday(): number | undefined {
  const { deviceStorage } = useConsole();
  const viewed = viewedReports(deviceStorage);
  const setting = exposureSetting(deviceStorage);
  const { day, reports } = useStoreValue(viewed, viewed.read);
  const isCounted = useStoreValue(setting, setting.read);
  return isCounted ? (day === today() ? reports.length : 0) : undefined;
}
