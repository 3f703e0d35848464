import { i18n } from '@lingui/core';
import { Modal, NativeSelect } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type Verdict, verdicts } from '../../../../shared/team/entries.ts';
import { policyKind, usablePolicies } from '../../../../shared/team/policies.ts';
import type { ActedReports } from '../../../actions/panel/acted-reports.ts';
import { ReporterMessageFields } from '../../../actions/panel/ReporterMessageFields.tsx';
import { sendToReporters } from '../../../actions/panel/send-to-reporters.ts';
import { useReporterMessage } from '../../../actions/panel/use-reporter-message.ts';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { useTeamValue } from '../../../team/use-team.ts';
import { verdictName } from '../../../team/verdicts.ts';
import { truncate } from '../../../words/clip.ts';
import type { CaseRow } from './cases.ts';

type Props = {
  row: CaseRow;
  acted: ActedReports;
  /** Verdict of the resolved case. */
  verdict: Verdict | undefined;
  onClose: () => void;
  /** Gets the decision about an unresolved case, and runs the given function after it. */
  onResolve: (verdict: Verdict | undefined, policy: string | undefined, onDecided: () => void) => void;
};

/** Resolves a case, if it's unresolved, and sends its reporters a message. */
export function MessageReportersPanel(props: Props) {
  const count = props.row.unresolved.length;
  return (
    <Modal
      opened
      onClose={props.onClose}
      size="md"
      title={
        count > 0
          ? i18n.t('Resolve {count, plural, one {report} other {# reports}} and message reporters', { count })
          : i18n.t('Message reporters')
      }
    >
      <Form {...props} />
    </Modal>
  );
}

function Form({ row, acted, verdict: given, onClose, onResolve }: Props) {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const [verdict, setVerdict] = useState<Verdict | ''>(given ?? '');
  const [policy, setPolicy] = useState('');
  const [isRefused, setRefused] = useState(false);
  const documents = useTeamValue((team) => team.documents(policyKind));
  const policies = useMemo(() => usablePolicies(documents), [documents]);
  const isOpen = row.unresolved.length > 0;
  const { reports, ofCase = reports } = acted;
  const message = useReporterMessage({
    reports: isOpen ? reports : ofCase,
    ofCase,
    outcome: verdict === 'upheld' || verdict === 'not_upheld' ? verdict : 'decided',
    subjects: row.subject.kind === 'user' ? [row.subject.userId] : [],
    isEnabledAtFirst: true,
  });

  function submit() {
    if (message.fault) return setRefused(true);
    const { letter } = message;
    const send = () => {
      if (letter) void sendToReporters({ server, queryClient, deletedReports }, letter);
    };
    onClose();
    if (isOpen) onResolve(verdict || undefined, (verdict === 'upheld' && policy) || undefined, send);
    else send();
  }
  return (
    <ConfirmForm
      label={
        isOpen ? (message.letter ? i18n.t('Resolve and send') : i18n.t('Resolve')) : i18n.t('Send message')
      }
      multiline
      disabled={!isOpen && !message.letter}
      onSubmit={submit}
      onCancel={onClose}
    >
      {isOpen && (
        <NativeSelect
          size="xs"
          data-autofocus
          label={i18n.t('Verdict')}
          data={[
            { value: '', label: i18n.t('No verdict') },
            ...verdicts.map((value) => ({ value, label: verdictName(value) })),
          ]}
          value={verdict}
          onChange={({ currentTarget: { value } }) =>
            setVerdict(verdicts.find((each) => each === value) ?? '')
          }
        />
      )}
      {isOpen && verdict === 'upheld' && policies.length > 0 && (
        <NativeSelect
          size="xs"
          label={i18n.t('Policy')}
          data={[
            { value: '', label: i18n.t('No policy') },
            ...policies.map(({ key, name }) => ({ value: key, label: truncate(name, 100) })),
          ]}
          value={policy}
          onChange={(event) => setPolicy(event.currentTarget.value)}
        />
      )}
      <ReporterMessageFields message={message} showsFault={isRefused} />
    </ConfirmForm>
  );
}
