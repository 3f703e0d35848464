import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutationState, useQueryClient } from '@tanstack/react-query';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { CopyText } from '../../components/CopyText.tsx';
import { FailureNote } from '../../components/LoadStates.tsx';
import type { LocalProgram } from '../../transport/host.ts';
import type { Workbench } from '../../transport/workbench.ts';
import classes from './LocalServer.module.css';
import {
  anyOperation,
  type ServerOperation,
  useDataReplacement,
  useRunningOperation,
} from './server-operations.ts';

const sentences: Partial<Record<ServerOperation, string>> = {
  reset: /*i18n*/ 'Server is empty and running. Previous data:',
  restore: /*i18n*/ 'Running on the backup. Previous data:',
  take_back: /*i18n*/ 'Running on its previous data. Replaced data:',
};

type Props = {
  workbench: Workbench;
  program: LocalProgram;
  /** Path of previous data that the server reports; without it, only that of this page's operations is shown. */
  path?: string | undefined;
};

/** Shows where the data before the last reset or restore is, and restores it. */
export function PreviousData({ workbench, program, path }: Props) {
  const queryClient = useQueryClient();
  const running = useRunningOperation();
  const restorePrevious = useDataReplacement(workbench, 'take_back', program.takeBack);
  // From the cache: signing in again remounts the page in between.
  const last = useMutationState({
    filters: { mutationKey: anyOperation, status: 'success' },
    select: ({ options: { mutationKey }, state: { data } }) => ({
      sentence: sentences[mutationKey?.[1] as ServerOperation],
      keptAt: data,
    }),
  }).findLast(({ sentence, keptAt }) => sentence !== undefined && typeof keptAt === 'string');
  const sentence = last?.sentence ?? /*i18n*/ 'Data before the last reset or restore:';
  const keptAt = typeof last?.keptAt === 'string' ? last.keptAt : path;
  const dismiss = () => {
    const cache = queryClient.getMutationCache();
    for (const mutation of cache.findAll({ mutationKey: anyOperation, status: 'success' }))
      cache.remove(mutation);
  };
  return (
    <>
      <FailureNote className={classes.message} error={restorePrevious.error} />
      {keptAt !== undefined && (
        <section className={classes.panel} aria-label={i18n.t('Previous data')}>
          <p role="status">{i18n.t(sentence)}</p>
          <div>
            <CopyText text={keptAt} label={i18n.t('Previous data path')} />
          </div>
          <div className={classes.buttons}>
            <ButtonWithIcon
              variant="default"
              icon={IconArrowBackUp}
              onClick={() => restorePrevious.mutate()}
              loading={restorePrevious.isPending}
              disabled={running !== undefined}
            >
              {i18n.t('Restore previous data')}
            </ButtonWithIcon>
            {last && (
              <Button variant="default" onClick={dismiss} disabled={running !== undefined}>
                {i18n.t('Close')}
              </Button>
            )}
          </div>
        </section>
      )}
    </>
  );
}
