import { Type } from 'typebox';
import type { DeviceStorage } from './persisted.ts';

/** The start screen: the reports if the user opened a report since last visiting Home. For all servers of this device. */
export const startScreen = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.entrance', Type.Enum(['home', 'reports']), 'home');

export function setStartScreen(deviceStorage: DeviceStorage, screen: 'home' | 'reports') {
  const stored = startScreen(deviceStorage);
  if (stored.read() !== screen) stored.write(screen);
}
