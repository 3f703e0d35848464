import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutationState, useQueryClient } from '@tanstack/react-query';
import { CopyText } from '../../components/CopyText.tsx';
import type { LocalProgram } from '../../transport/local-host.ts';
import { failureSentence } from '../../transport/refusal.ts';
import type { Workbench } from '../../transport/workbench.ts';
import { anyHostWork, type HostWork, useHostWork, useReplacing } from './host-work.ts';
import classes from './LocalServer.module.css';

const sentences: Partial<Record<HostWork, string>> = {
  reset: /*i18n*/ 'Server is empty and running. Previous data:',
  restore: /*i18n*/ 'Running on the backup. Previous data:',
  take_back: /*i18n*/ 'Running on its previous data. Replaced data:',
};

type Props = {
  bench: Workbench;
  program: LocalProgram;
  /** Where data from before is, as far as the program knows; left out, only what was done from this page is told. */
  kept?: string | undefined;
};

/** What came of the last reset or restore, and the way back. */
export function Replaced({ bench, program, kept }: Props) {
  const queryClient = useQueryClient();
  const doing = useHostWork();
  const takeBack = useReplacing(bench, 'take_back', program.takeBack);
  // The page may have been signed in anew, and made anew, in between.
  const last = useMutationState({
    filters: { mutationKey: anyHostWork, status: 'success' },
    select: ({ options: { mutationKey }, state: { data } }) => ({
      sentence: sentences[mutationKey?.[1] as HostWork],
      keptAt: data,
    }),
  }).findLast(({ sentence, keptAt }) => sentence !== undefined && typeof keptAt === 'string');
  const sentence = last?.sentence ?? /*i18n*/ 'Data before the last reset or restore:';
  const keptAt = typeof last?.keptAt === 'string' ? last.keptAt : kept;
  const forget = () => {
    const cache = queryClient.getMutationCache();
    for (const mutation of cache.findAll({ mutationKey: anyHostWork, status: 'success' }))
      cache.remove(mutation);
  };
  return (
    <>
      {takeBack.error && (
        <p className={classes.message} role="alert">
          {failureSentence(takeBack.error)}
        </p>
      )}
      {keptAt !== undefined && (
        <section className={classes.panel} aria-label={i18n.t('Previous data')}>
          <p role="status">{i18n.t(sentence)}</p>
          <div>
            <CopyText text={keptAt} label={i18n.t('Previous data path')} />
          </div>
          <div className={classes.buttons}>
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={14} aria-hidden />}
              onClick={() => takeBack.mutate()}
              loading={takeBack.isPending}
              disabled={doing !== undefined}
            >
              {i18n.t('Restore previous data')}
            </Button>
            {last && (
              <Button variant="default" onClick={forget} disabled={doing !== undefined}>
                {i18n.t('Close')}
              </Button>
            )}
          </div>
        </section>
      )}
    </>
  );
}
