/** What is being done to the server by the program that runs it: one thing at a time. */
import { useMutationState } from '@tanstack/react-query';

const sentences = {
  start: /*i18n*/ 'Starting server…',
  stop: /*i18n*/ 'Stopping server…',
  restart: /*i18n*/ 'Restarting server…',
  apply: /*i18n*/ 'Applying configuration…',
  reset: /*i18n*/ 'Resetting server…',
  restore: /*i18n*/ 'Restoring backup…',
  take_back: /*i18n*/ 'Restoring previous data…',
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
