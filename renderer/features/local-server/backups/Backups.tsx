import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Backup, getBackup } from '../../../../shared/workbench/backup.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/Page.tsx';
import { saveBackup } from '../../../transport/backup.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { serverName } from '../../../transport/server-name.ts';
import type { Workbench } from '../../../transport/workbench.ts';
import { byteSize } from '../../../words/format.ts';
import { useBench } from '../bench.ts';
import { useHostWork } from '../host-work.ts';
import classes from '../LocalServer.module.css';
import { RestoreBackup } from './RestoreBackup.tsx';

/** Whether the server can be backed up so: it depends on where its data is. */
const backupQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'backup'],
    queryFn: ({ signal }) => get(getBackup.response[200], workbenchPaths.backup, signal),
  });

/** A copy of everything, made while the server runs; and the way back. */
export function Backups() {
  const bench = useBench();
  const { connection } = bench;
  const found = useQuery(backupQuery(bench));
  const doing = useHostWork();
  const [bytes, setBytes] = useState(0);
  const name = `gatehouse-${serverName(connection).replaceAll(/[^a-z0-9.-]/gi, '_')}-${today()}.tar`;
  const make = useMutation({
    mutationFn: () => {
      setBytes(0);
      return saveBackup(connection, name, setBytes);
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
            {found.data?.possible === false && <p className={classes.message}>{found.data.reason}</p>}
            <div className={classes.buttons}>
              <Button
                leftSection={<IconDownload size={14} stroke={1.7} aria-hidden />}
                onClick={() => make.mutate()}
                loading={make.isPending}
                disabled={found.data?.possible === false || doing !== undefined}
              >
                {i18n.t('Create backup')}
              </Button>
              {make.isPending && <output>{i18n.t('{size} so far', { size: byteSize(bytes) })}</output>}
            </div>
            {make.data === true && (
              <p role="status">{i18n.t('Backup complete: {size}', { size: byteSize(bytes) })}</p>
            )}
            {make.error && (
              <p className={classes.message} role="alert">
                {failureSentence(make.error)}
              </p>
            )}
            <p className={classes.dim}>{i18n.t('In a terminal:')}</p>
            <div>
              <CopyText text={backupCommand(name, found.data)} label={i18n.t('Backup command')} />
            </div>
          </PageSection>
        </div>
        <div className={classes.half}>
          <RestoreBackup name={name} isConfigured={found.data?.configuration !== undefined} />
        </div>
      </div>
    </div>
  );
}

/** Run anywhere, it is a copy of this server. */
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
