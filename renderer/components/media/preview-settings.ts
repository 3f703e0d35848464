/** How this device shows media and messages. */
import { type Static, Type } from 'typebox';
import { useConsole } from '../../console-context.ts';
import type { DeviceStorage } from '../../persisted.ts';
import { useStoreValue } from '../../subscribers.ts';

const Previews = Type.Enum(['blurred', 'sharp', 'off']);
export type Previews = Static<typeof Previews>;

export const previewSetting = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.media.previews', Previews, 'blurred' as Previews);

export const grayscaleSetting = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.media.grayscale', Type.Boolean(), false);

export const textBlurSetting = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.text.blurred', Type.Boolean(), false);

/** Whether viewed reports are counted. */
export const exposureSetting = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.exposure.counted', Type.Boolean(), true);

export function usePreviewSettings() {
  const { deviceStorage } = useConsole();
  const [previews, grayscale] = [previewSetting(deviceStorage), grayscaleSetting(deviceStorage)];
  const textBlur = textBlurSetting(deviceStorage);
  return {
    previews: useStoreValue(previews, previews.read),
    isGray: useStoreValue(grayscale, grayscale.read),
    isTextBlurred: useStoreValue(textBlur, textBlur.read),
  };
}
