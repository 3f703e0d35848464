/** What is being done to the server by the program that runs it: one thing at a time. */
import { useMutationState } from '@tanstack/react-query';

const sentences = {
  start: /*i18n*/ 'The server is being started…',
  stop: /*i18n*/ 'The server is being stopped…',
  restart: /*i18n*/ 'The server is being restarted…',
  apply: /*i18n*/ 'The configuration is being applied…',
  reset: /*i18n*/ 'The server is being reset…',
  restore: /*i18n*/ 'A backup is being restored…',
  take_back: /*i18n*/ 'The data from before is being put back…',
};
export type HostWork = keyof typeof sentences;

/** The beginning of every such key. */
export const anyHostWork = ['host work'];

/** The key of a mutation that does it. */
export const hostWork = (work: HostWork) => [...anyHostWork, work];

/** What was done last, and when it was asked for; undefined where nothing was, or it failed. */
export function useLastHostWork(): { work: HostWork; askedFor: number } | undefined {
  const last = useMutationState({
    filters: { mutationKey: anyHostWork },
    select: ({ options: { mutationKey }, state }) => ({
      work: mutationKey?.[1] as HostWork,
      askedFor: state.submittedAt,
      isDone: state.status === 'success',
    }),
  }).at(-1);
  return last?.isDone ? last : undefined;
}

/** What is being done now, with the sentence that says so; undefined where nothing is. */
export function useHostWork(): { work: HostWork; sentence: string } | undefined {
  const [work] = useMutationState({
    filters: { mutationKey: anyHostWork, status: 'pending' },
    select: ({ options: { mutationKey } }) => mutationKey?.[1] as HostWork,
  });
  return work && { work, sentence: sentences[work] };
}
