/** Density of rows, kept on this device. */
import { Type } from 'typebox';
import { useConsole } from './console-context.ts';
import type { DeviceStorage } from './persisted.ts';
import { useStoreValue } from './subscribers.ts';

export type Density = 'comfortable' | 'compact';

/** Row heights in pixels, for virtual lists and, as CSS variables, for stylesheets. */
const rowHeights: Record<Density, { row: number; tableHead: number; reportRow: number }> = {
  comfortable: { row: 34, tableHead: 31, reportRow: 74 },
  compact: { row: 26, tableHead: 26, reportRow: 66 },
};

export const chosenDensity = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.density', Type.Enum(['comfortable', 'compact']), 'comfortable');

export function useDensity(): Density {
  const chosen = chosenDensity(useConsole().deviceStorage);
  return useStoreValue(chosen, chosen.read);
}

export const useRowHeights = () => rowHeights[useDensity()];

/** Applies the density to the page: `data-density` and the row heights. */
export function applyDensity(deviceStorage: DeviceStorage) {
  const density = chosenDensity(deviceStorage).read();
  const { row, tableHead, reportRow } = rowHeights[density];
  const { dataset, style } = document.documentElement;
  dataset.density = density;
  style.setProperty('--gh-row', `${row}px`);
  style.setProperty('--gh-table-head', `${tableHead}px`);
  style.setProperty('--gh-report-row', `${reportRow}px`);
}
