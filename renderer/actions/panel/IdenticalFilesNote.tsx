import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { serverSoftwareQuery } from '../../api/server.ts';
import { useServer } from '../../console-context.ts';

/** Synapse quarantines by hash, so removing one file from quarantine affects every user's copy. */
export function IdenticalFilesNote({ className }: { className: string | undefined }) {
  const { data: software } = useQuery(serverSoftwareQuery(useServer()));
  if (software !== 'Synapse') return null;
  return (
    <p className={className}>{i18n.t('Also removes identical files of other users from quarantine.')}</p>
  );
}
