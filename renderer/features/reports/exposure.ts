/** Counts the reports viewed on this device today, so that moderators notice when it's time for a break. */
import { useEffect, useSyncExternalStore } from 'react';
import { Type } from 'typebox';
import { exposureSetting } from '../../components/media/preview-settings.ts';
import { useConsole } from '../../console-context.ts';
import type { KeptValues } from '../../persisted.ts';

const Viewed = Type.Object({ day: Type.String(), reports: Type.Array(Type.String()) });
const nothing = { day: '', reports: [] };

const viewedReports = (kept: KeptValues) => kept.open('gatehouse.reports.viewed', Viewed, nothing);

/** The local date, such as `2026-03-01`. */
const today = () => new Date().toLocaleDateString('sv');

/** Counts a report as viewed today, once. @param key identifies it among the reports of all servers */
export function useExposure(key: string): void {
  const { kept } = useConsole();
  useEffect(() => {
    if (!exposureSetting(kept).read()) return;
    const viewed = viewedReports(kept);
    const { day, reports } = viewed.read();
    const before = day === today() ? reports : [];
    if (!before.includes(key)) viewed.write({ day: today(), reports: [...before, key] });
  }, [kept, key]);
}

/** Returns the number of reports viewed today; undefined if they aren't counted. */
export function useViewedToday(): number | undefined {
  const { kept } = useConsole();
  const viewed = viewedReports(kept);
  const setting = exposureSetting(kept);
  const { day, reports } = useSyncExternalStore(viewed.subscribe, viewed.read);
  const isCounted = useSyncExternalStore(setting.subscribe, setting.read);
  return isCounted ? (day === today() ? reports.length : 0) : undefined;
}
