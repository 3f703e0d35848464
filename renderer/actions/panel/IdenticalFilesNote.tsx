import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { serverSoftwareQuery } from '../../api/server.ts';
import { useServer } from '../../console-context.ts';

/** Synapse quarantines by hash, so removing one file from quarantine affects every user's copy. */
export function IdenticalFilesNote({
  className,
  isOnUndo = false,
}: {
  className: string | undefined;
  isOnUndo?: boolean;
}) {
  const { data: software } = useQuery(serverSoftwareQuery(useServer()));
  if (software !== 'Synapse') return null;
  return (
    <p className={className}>
      {isOnUndo
        ? i18n.t('Undo also removes identical files of other users from quarantine.')
        : i18n.t('Also removes identical files of other users from quarantine.')}
    </p>
  );
}
