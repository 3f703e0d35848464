/** How this device shows media and messages. */
import { useSyncExternalStore } from 'react';
import { type Static, Type } from 'typebox';
import { useConsole } from '../../console-context.ts';
import type { KeptValues } from '../../persisted.ts';

const Previews = Type.Enum(['blurred', 'sharp', 'off']);
export type Previews = Static<typeof Previews>;

export const previewSetting = (kept: KeptValues) =>
  kept.open('gatehouse.media.previews', Previews, 'blurred' as Previews);

export const grayscaleSetting = (kept: KeptValues) =>
  kept.open('gatehouse.media.grayscale', Type.Boolean(), false);

export const textBlurSetting = (kept: KeptValues) =>
  kept.open('gatehouse.text.blurred', Type.Boolean(), false);

/** Whether viewed reports are counted. */
export const exposureSetting = (kept: KeptValues) =>
  kept.open('gatehouse.exposure.counted', Type.Boolean(), true);

export function usePreviewSettings() {
  const { kept } = useConsole();
  const [previews, grayscale] = [previewSetting(kept), grayscaleSetting(kept)];
  const textBlur = textBlurSetting(kept);
  return {
    previews: useSyncExternalStore(previews.subscribe, previews.read),
    isGray: useSyncExternalStore(grayscale.subscribe, grayscale.read),
    isTextBlurred: useSyncExternalStore(textBlur.subscribe, textBlur.read),
  };
}
