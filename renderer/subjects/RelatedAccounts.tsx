import { i18n } from '@lingui/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ButtonWithIcon } from '../components/ButtonWithIcon.tsx';
import { Fact } from './DetailSection.tsx';

/** Links to the search for accounts of the same person. It starts on click, because it loads accounts one by one. */
export function RelatedAccounts({ userId }: { userId: string }) {
  const navigate = useNavigate();
  return (
    <Fact name={i18n.t('Related accounts')}>
      <ButtonWithIcon
        variant="default"
        size="compact-xs"
        icon={IconFingerprint}
        onClick={() => navigate({ to: '/users/related', search: { of: userId } })}
      >
        {i18n.t('Find related accounts')}
      </ButtonWithIcon>
    </Fact>
  );
}
