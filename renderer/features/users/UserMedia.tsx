import { i18n } from '@lingui/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UploadList } from '../../subjects/uploads/UploadList.tsx';

/** What somebody uploaded; what is done with all of it is among the page's own actions. */
export function UserMedia({ userId }: { userId: string }) {
  const address = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  return (
    <UploadList
      userId={userId}
      title={i18n.t('Media')}
      address={address}
      onChange={(changes) => navigate({ search: (current) => ({ ...current, ...changes }) })}
    />
  );
}
