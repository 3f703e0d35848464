import { i18n } from '@lingui/core';
import { Button, FileButton } from '@mantine/core';
import { IconArrowBackUp, IconRestore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workbench } from '../../../api/workbench.ts';
import { byteSize } from '../../../components/byte-size.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { failureSentence } from '../../../components/FailureMessage.tsx';
import { PageSection } from '../../../components/Page.tsx';
import type { LocalProgram } from '../../../transport/local-host.ts';
import { hostStateQuery, useBench } from '../bench.ts';
import { useHostWork } from '../host-work.ts';
import classes from '../LocalServer.module.css';
import { useProgram } from '../use-program.ts';
import { useReplacing } from '../use-replacing.ts';

/** A backup put back: here, where a program runs the server that can; in a terminal elsewhere. */
export function RestoreBackup({ name }: { name: string }) {
  const bench = useBench();
  const program = useProgram();
  const { data: state } = useQuery(hostStateQuery(bench));
  const canReplace = program && (program.start || state);
  return (
    <PageSection
      title={i18n.t('Restore one')}
      description={i18n.t('What the server has now is kept beside it: nothing is ever written over.')}
    >
      {canReplace && <RestoreHere bench={bench} program={program} />}
      <p className={classes.dim}>{i18n.t('In a terminal, into an empty directory:')}</p>
      <CopyText
        block
        text={`npx gatehouse restore ${name} --data-dir restored\nnpx gatehouse serve --data-dir restored`}
        label={i18n.t('The commands that restore a backup')}
      />
    </PageSection>
  );
}

function RestoreHere({ bench, program }: { bench: Workbench; program: LocalProgram }) {
  const [file, setFile] = useState<File | null>(null);
  const doing = useHostWork();
  const restore = useReplacing(bench, 'restore', program.restore);
  const takeBack = useReplacing(bench, 'take_back', program.takeBack);
  const isBusy = doing !== undefined;
  /** The desktop app asks which one, and whether it is really meant. */
  const asksItself = program.start !== undefined;
  const go = (backup: File | undefined) => {
    takeBack.reset();
    restore.mutate(backup, { onSuccess: () => setFile(null) });
  };
  return (
    <>
      <p>
        {i18n.t(
          'The server stops, and goes on with everything as it was when the backup was made: users, rooms, messages, media, keys, sessions and configuration. What came later is not in it.',
        )}
      </p>
      <div className={classes.buttons}>
        {asksItself ? (
          <Button
            leftSection={<IconRestore size={14} aria-hidden />}
            onClick={() => go(undefined)}
            loading={restore.isPending}
            disabled={isBusy}
          >
            {i18n.t('Restore a backup…')}
          </Button>
        ) : (
          <FileButton accept=".tar,application/x-tar" onChange={setFile}>
            {(props) => (
              <Button {...props} variant={file ? 'default' : 'filled'} disabled={isBusy}>
                {file ? i18n.t('Choose another file…') : i18n.t('Choose a backup…')}
              </Button>
            )}
          </FileButton>
        )}
      </div>
      {file && (
        <section className={classes.panel} aria-label={i18n.t('Restore one')}>
          <p>
            {i18n.t('{name}, {size}, takes the place of what the server has now.', {
              name: file.name,
              size: byteSize(file.size),
            })}
          </p>
          <div className={classes.buttons}>
            <Button color="red" onClick={() => go(file)} loading={restore.isPending} disabled={isBusy}>
              {i18n.t('Restore it')}
            </Button>
            <Button variant="default" onClick={() => setFile(null)} disabled={isBusy}>
              {i18n.t('Cancel')}
            </Button>
          </div>
        </section>
      )}
      {doing && <output className={classes.dim}>{i18n.t(doing.sentence)}</output>}
      {(restore.error ?? takeBack.error) && (
        <p className={classes.message} role="alert">
          {failureSentence((restore.error ?? takeBack.error) as Error)}
        </p>
      )}
      {typeof takeBack.data === 'string' ? (
        <p role="status">{i18n.t('The server runs on the data from before.')}</p>
      ) : (
        typeof restore.data === 'string' && (
          <section className={classes.panel} aria-label={i18n.t('Restored')}>
            <p role="status">
              {i18n.t('The server runs on the backup. What was there before is kept here:')}
            </p>
            <div>
              <CopyText text={restore.data} label={i18n.t('Where the old data is')} />
            </div>
            <div>
              <Button
                variant="default"
                leftSection={<IconArrowBackUp size={14} aria-hidden />}
                onClick={() => takeBack.mutate()}
                loading={takeBack.isPending}
                disabled={isBusy}
              >
                {i18n.t('Go back to it')}
              </Button>
            </div>
          </section>
        )
      )}
    </>
  );
}
