import { i18n } from '@lingui/core';
import { Button, FileButton } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/Page.tsx';
import type { LocalProgram } from '../../../transport/local-host.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import type { Workbench } from '../../../transport/workbench.ts';
import { byteSize } from '../../../words/format.ts';
import { hostStateQuery, useBench } from '../bench.ts';
import { useHostWork, useProgram, useReplacing } from '../host-work.ts';
import classes from '../LocalServer.module.css';
import { Replaced } from '../Replaced.tsx';

/** A backup put back: here, where a program runs the server that can; in a terminal elsewhere. */
export function RestoreBackup({ name, isConfigured }: { name: string; isConfigured: boolean }) {
  const bench = useBench();
  const program = useProgram();
  const { data: state } = useQuery(hostStateQuery(bench));
  const canReplace = program && (program.start || state);
  return (
    <PageSection
      title={i18n.t('Restore backup')}
      description={i18n.t('You can restore the current data later.')}
    >
      {canReplace && <RestoreHere bench={bench} program={program} />}
      <p className={classes.dim}>{i18n.t('In a terminal, into an empty directory:')}</p>
      <CopyText
        block
        text={`npm run gatehouse -- restore ${name} --data-dir restored\nnpm run gatehouse -- serve --data-dir restored${isConfigured ? ' --config restored/homeserver.yaml' : ''}`}
        label={i18n.t('Restore commands')}
      />
    </PageSection>
  );
}

function RestoreHere({ bench, program }: { bench: Workbench; program: LocalProgram }) {
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState(0);
  const doing = useHostWork();
  // Also what was kept before this page, or this run of the program.
  const kept = useQuery({
    queryKey: [bench.connection.id, 'workbench', 'kept data'],
    queryFn: () => program.keptData(),
  });
  const restore = useReplacing(bench, 'restore', (backup: File | undefined) => {
    setSent(0);
    return program.restore(backup, setSent);
  });
  const isBusy = doing !== undefined;
  const isSending = file !== null && restore.isPending && sent < file.size;
  /** The desktop app asks which one, and whether it is really meant. */
  const asksItself = program.start !== undefined;
  return (
    <>
      <p>
        {i18n.t(
          "Stops the server and restores all data and configuration from the backup. Later data isn't included.",
        )}
      </p>
      <div className={classes.buttons}>
        {asksItself ? (
          <Button
            leftSection={<IconRestore size={14} aria-hidden />}
            onClick={() => restore.mutate(undefined)}
            loading={restore.isPending}
            disabled={isBusy}
          >
            {i18n.t('Restore backup…')}
          </Button>
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
          {i18n.t('{sent} of {size} sent', { sent: byteSize(sent), size: byteSize(file.size) })}
        </output>
      ) : (
        doing && <output className={classes.dim}>{i18n.t(doing.sentence)}</output>
      )}
      {restore.error && (
        <p className={classes.message} role="alert">
          {failureSentence(restore.error)}
        </p>
      )}
      <Replaced bench={bench} program={program} kept={kept.data ?? undefined} />
    </>
  );
}
