import { i18n } from '@lingui/core';
import { useMutation } from '@tanstack/react-query';
import type { ReportToHold } from '../../../actions/evidence/hold-evidence.ts';
import { noticesOf } from '../../../components/notices.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { list } from '../../../words/format.ts';

/** Describes held evidence, for example `3 messages and 2 files`. */
export const heldText = ({ messages, media }: { messages: number; media: number }): string =>
  list([
    i18n.t('{count, plural, one {# message} other {# messages}}', { count: messages }),
    ...(media > 0 ? [i18n.t('{count, plural, one {# file} other {# files}}', { count: media })] : []),
  ]);

/** Holds the messages of event reports, on the user's request. */
export function useHold() {
  const server = useServer();
  const { queryClient } = useConsole();
  return useMutation({
    mutationFn: async (reports: readonly ReportToHold[]) =>
      (await import('../../../actions/evidence/hold-evidence.ts')).holdEvidence(
        { server, queryClient },
        reports,
      ),
    onSuccess: (result) =>
      noticesOf(server).show({
        text: [i18n.t('Evidence held: {what}', { what: heldText(result) }), ...result.missing].join(' · '),
      }),
    onError: (error) =>
      noticesOf(server).show({
        text: i18n.t("Couldn't store evidence: {why}", { why: failureSentence(error) }),
        isFailure: true,
      }),
  });
}
