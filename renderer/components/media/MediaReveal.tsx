import { i18n } from '@lingui/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { createContext, type ReactNode, useState } from 'react';
import { useCommands } from '../../console-context.ts';
import { usePreviewSettings } from './preview-settings.ts';

/** Whether previews are shown sharp and larger; undefined without such a key. */
export const MediaRevealed = createContext<boolean | undefined>(undefined);

/** Offers a key that shows the previews within it sharp, and blurred again. Its parent decides how long that lasts. */
export function MediaReveal({ children }: { children: ReactNode }) {
  const [isRevealed, setRevealed] = useState(false);
  const { previews, isTextBlurred } = usePreviewSettings();
  const Icon = isRevealed ? IconEyeOff : IconEye;
  useCommands(
    previews === 'off' && !isTextBlurred
      ? []
      : [
          {
            id: 'reveal media',
            label: isRevealed ? i18n.t('Blur content') : i18n.t('Reveal content'),
            group: i18n.t('Media'),
            keys: ['i'],
            icon: <Icon size={17} stroke={1.6} />,
            run: () => setRevealed(!isRevealed),
          },
        ],
  );
  return <MediaRevealed value={isRevealed}>{children}</MediaRevealed>;
}
