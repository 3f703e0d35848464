import { i18n } from '@lingui/core';
import { IconFlag } from '@tabler/icons-react';
import { keyWorks } from '../../../components/character-keys.ts';
import { StateMessage } from '../../../components/StateMessage.tsx';

/** In the report's place while none is open. */
export const NothingOpen = () => (
  <StateMessage
    icon={<IconFlag size={24} stroke={1.5} />}
    title={i18n.t('No report open')}
    description={
      keyWorks('j')
        ? i18n.t('Choose a report, or press j. Press ? for shortcuts.')
        : i18n.t('Choose a report.')
    }
  />
);
