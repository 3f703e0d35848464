import { i18n } from '@lingui/core';
import { Switch } from '@mantine/core';
import {
  exposureSetting,
  grayscaleSetting,
  previewSetting,
  textBlurSetting,
  usePreviewSettings,
} from '../../components/media/preview-settings.ts';
import { PageSection } from '../../components/page/Page.tsx';
import { useConsole } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import { Choice } from './Choice.tsx';

/** Renders how media and messages look on this device. */
export function MediaSettings() {
  const { deviceStorage } = useConsole();
  const { previews, isGray, isTextBlurred } = usePreviewSettings();
  const exposure = exposureSetting(deviceStorage);
  const isCounted = useStoreValue(exposure, exposure.read);
  return (
    <PageSection title={i18n.t('Sensitive content')} description={i18n.t('Stored on this device.')}>
      <Choice
        label={i18n.t('Previews in lists and reports')}
        value={previews}
        onChange={previewSetting(deviceStorage).write}
        data={[
          { value: 'blurred', label: i18n.t('Blurred') },
          { value: 'sharp', label: i18n.t('Sharp') },
          { value: 'off', label: i18n.t('Off') },
        ]}
      />
      <Switch
        label={i18n.t('Grayscale')}
        description={i18n.t(
          'Removes color from all media. Blurred previews turn sharp on hover or with i. Servers count a preview as an access.',
        )}
        checked={isGray}
        onChange={(event) => grayscaleSetting(deviceStorage).write(event.currentTarget.checked)}
      />
      <Switch
        label={i18n.t('Blur message text')}
        description={i18n.t('In reports and rooms. Messages turn sharp on hover or with i.')}
        checked={isTextBlurred}
        onChange={(event) => textBlurSetting(deviceStorage).write(event.currentTarget.checked)}
      />
      <Switch
        label={i18n.t('Count viewed reports')}
        description={i18n.t("Shows today's number above the list of reports.")}
        checked={isCounted}
        onChange={(event) => exposure.write(event.currentTarget.checked)}
      />
    </PageSection>
  );
}
