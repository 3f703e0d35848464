import { i18n } from '@lingui/core';
import { IconDownload } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Backup, getBackup } from '../../../../shared/workbench/backup.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { CopyText } from '../../../components/CopyText.tsx';
import { FailureNote } from '../../../components/LoadStates.tsx';
import { PageSection } from '../../../components/page/Page.tsx';
import { useConsole } from '../../../console-context.ts';
import { serverName } from '../../../transport/server-name.ts';
import type { Workbench } from '../../../transport/workbench.ts';
import { byteSize } from '../../../words/format.ts';
import classes from '../LocalServer.module.css';
import { useRunningOperation } from '../server-operations.ts';
import { useWorkbench } from '../workbench-context.ts';
import { RestoreBackup } from './RestoreBackup.tsx';

/** Whether the server supports backups, which depends on its database. */
const backupQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'backup'],
    queryFn: ({ signal }) => get(getBackup.response[200], workbenchPaths.backup, signal),
  });

export function Backups() {
  const { host } = useConsole();
  const workbench = useWorkbench();
  const { connection } = workbench;
  const support = useQuery(backupQuery(workbench));
  const running = useRunningOperation();
  const [bytes, setBytes] = useState(0);
  const name = `gatehouse-${serverName(connection).replaceAll(/[^a-z0-9.-]/gi, '_')}-${today()}.tar`;
  const create = useMutation({
    mutationFn: () => {
      setBytes(0);
      return host.backup.save(connection.id, name, setBytes);
    },
  });
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <div className={classes.half}>
          <PageSection
            title={i18n.t('Create backup')}
            description={i18n.t('Snapshot of database, signing key, media and configuration.')}
          >
            <p>{i18n.t('The server keeps running. Store the file securely; it contains all secrets.')}</p>
            {support.data?.possible === false && <p className={classes.message}>{support.data.reason}</p>}
            <div className={classes.buttons}>
              <ButtonWithIcon
                icon={IconDownload}
                onClick={() => create.mutate()}
                loading={create.isPending}
                disabled={support.data?.possible === false || running !== undefined}
              >
                {i18n.t('Create backup')}
              </ButtonWithIcon>
              {create.isPending && <output>{i18n.t('{size} so far', { size: byteSize(bytes) })}</output>}
            </div>
            {create.data === true && (
              <p role="status">{i18n.t('Backup complete: {size}', { size: byteSize(bytes) })}</p>
            )}
            <FailureNote className={classes.message} error={create.error} />
            <p className={classes.dim}>{i18n.t('In a terminal:')}</p>
            <div>
              <CopyText text={backupCommand(name, support.data)} label={i18n.t('Backup command')} />
            </div>
          </PageSection>
        </div>
        <div className={classes.half}>
          <RestoreBackup name={name} isConfigured={support.data?.configuration !== undefined} />
        </div>
      </div>
    </div>
  );
}

function backupCommand(name: string, source: Backup | undefined): string {
  const { data_dir, configuration } = source ?? {};
  const options = Object.entries({ '--data-dir': data_dir, '--config': configuration });
  return [
    `npm run gatehouse -- backup ${name}`,
    ...options.flatMap(([option, path]) => (path === undefined ? [] : [`${option} ${quoted(path)}`])),
  ].join(' ');
}

const quoted = (path: string) => (/^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

const today = () => new Date().toISOString().slice(0, 10);
