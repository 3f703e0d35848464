import { i18n } from '@lingui/core';
import { Button, FileButton } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { CopyText } from '../../../components/CopyText.tsx';
import { FailureNote } from '../../../components/LoadStates.tsx';
import { PageSection } from '../../../components/page/Page.tsx';
import { useConsole } from '../../../console-context.ts';
import type { LocalProgram } from '../../../transport/host.ts';
import type { Workbench } from '../../../transport/workbench.ts';
import { byteSize } from '../../../words/format.ts';
import classes from '../LocalServer.module.css';
import { PreviousData } from '../PreviousData.tsx';
import { useDataReplacement, useProgram, useRunningOperation } from '../server-operations.ts';
import { hostStateQuery, useWorkbench } from '../workbench-context.ts';

/** Restores a backup here, if the server's process can be controlled, and shows the commands for a terminal. */
export function RestoreBackup({ name, isConfigured }: { name: string; isConfigured: boolean }) {
  const workbench = useWorkbench();
  const program = useProgram();
  const { data: state } = useQuery(hostStateQuery(workbench));
  const canReplace = program && (program.start || state);
  return (
    <PageSection
      title={i18n.t('Restore backup')}
      description={i18n.t('You can restore the current data later.')}
    >
      {canReplace && <RestoreForm workbench={workbench} program={program} />}
      <p className={classes.dim}>{i18n.t('In a terminal, into an empty directory:')}</p>
      <CopyText
        block
        text={`npm run gatehouse -- restore ${name} --data-dir restored\nnpm run gatehouse -- serve --data-dir restored${isConfigured ? ' --config restored/homeserver.yaml' : ''}`}
        label={i18n.t('Restore commands')}
      />
    </PageSection>
  );
}

function RestoreForm({ workbench, program }: { workbench: Workbench; program: LocalProgram }) {
  const { host } = useConsole();
  const [file, setFile] = useState<File | null>(null);
  const [sentBytes, setSentBytes] = useState(0);
  const running = useRunningOperation();
  // Includes data kept before this page was opened.
  const previous = useQuery({
    queryKey: [workbench.connection.id, 'workbench', 'previous data'],
    queryFn: () => program.keptData(),
  });
  const restore = useDataReplacement(workbench, 'restore', (backup: File | undefined) => {
    setSentBytes(0);
    return host.backup.restore(workbench.connection.id, backup, setSentBytes);
  });
  const isBusy = running !== undefined;
  const isSending = file !== null && restore.isPending && sentBytes < file.size;
  /** The desktop app shows its own file and confirmation dialogs. */
  const hasNativeDialog = program.start !== undefined;
  return (
    <>
      <p>
        {i18n.t(
          "Stops the server and restores all data and configuration from the backup. Later data isn't included.",
        )}
      </p>
      <div className={classes.buttons}>
        {hasNativeDialog ? (
          <ButtonWithIcon
            icon={IconRestore}
            onClick={() => restore.mutate(undefined)}
            loading={restore.isPending}
            disabled={isBusy}
          >
            {i18n.t('Restore backup…')}
          </ButtonWithIcon>
        ) : (
          <FileButton accept=".tar,application/x-tar" onChange={setFile}>
            {(props) => (
              <Button {...props} variant={file ? 'default' : 'filled'} disabled={isBusy}>
                {file ? i18n.t('Choose another file…') : i18n.t('Choose backup…')}
              </Button>
            )}
          </FileButton>
        )}
      </div>
      {file && (
        <section className={classes.panel} aria-label={i18n.t('Restore backup')}>
          <p>
            {i18n.t("{name} ({size}) replaces the server's current data.", {
              name: file.name,
              size: byteSize(file.size),
            })}
          </p>
          <div className={classes.buttons}>
            <Button onClick={() => restore.mutate(file)} loading={restore.isPending} disabled={isBusy}>
              {i18n.t('Restore backup')}
            </Button>
            <Button variant="default" onClick={() => setFile(null)} disabled={isBusy}>
              {i18n.t('Cancel')}
            </Button>
          </div>
        </section>
      )}
      {isSending ? (
        <output className={classes.dim}>
          {i18n.t('{sent} of {size} sent', { sent: byteSize(sentBytes), size: byteSize(file.size) })}
        </output>
      ) : (
        running && <output className={classes.dim}>{i18n.t(running.sentence)}</output>
      )}
      <FailureNote className={classes.message} error={restore.error} />
      <PreviousData workbench={workbench} program={program} path={previous.data ?? undefined} />
    </>
  );
}
