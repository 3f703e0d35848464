import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { serverSoftwareQuery } from '../api/server-software.ts';
import { useServer } from '../console-context.ts';
import classes from './ActionPanel.module.css';

/** Synapse keeps files in quarantine by their hash: to release one releases every user's copy. */
export function IdenticalFilesNote({ className = classes.note }) {
  const { data: software } = useQuery(serverSoftwareQuery(useServer()));
  if (software !== 'Synapse') return null;
  return (
    <p className={className}>{i18n.t('Also removes identical files of other users from quarantine.')}</p>
  );
}
