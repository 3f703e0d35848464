import { i18n } from '@lingui/core';
import { FileInput, Modal } from '@mantine/core';
import { useState } from 'react';
import { leaveAfterwards, takePower } from '../../../shared/team/action-inputs.ts';
import { publishRules } from '../../actions/catalogue/policy-rules.ts';
import type { Item } from '../../actions/items.ts';
import { startJob } from '../../actions/jobs/run-job.ts';
import { offerUndoOfJob } from '../../actions/tray/announce.tsx';
import { eventTypesOf } from '../../api/policy-lists/policy-rules.ts';
import { ConfirmForm } from '../../components/ConfirmForm.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { number } from '../../words/format.ts';
import type { OpenList } from './open-list.ts';
import classes from './PolicyLists.module.css';
import { type FileRule, readRulesFile } from './rules-file.ts';

type Props = { list: OpenList; onClose: () => void };

const maxFileSize = 20_000_000;
/** Jobs are kept in the browser's storage. */
const maxRules = 5_000;

/** Publishes the rules of a file, except those that the list already has. */
export function ImportRules({ list, onClose }: Props) {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const [file, setFile] = useState<File | null>(null);
  const [found, setFound] = useState<{ rules: FileRule[]; known: number; unreadable: number }>();
  const [failure, setFailure] = useState<string>();

  async function choose(chosen: File | null) {
    setFile(chosen);
    setFound(undefined);
    setFailure(undefined);
    if (!chosen) return;
    if (chosen.size > maxFileSize) return setFailure(i18n.t('The file is too large.'));
    const { rules, unreadable } = readRulesFile(await chosen.text());
    const isKnown = ({ kind, terms }: FileRule) =>
      list.rules.some(
        (rule) => rule.kind === kind && rule.entity === terms.entity && rule.hash === terms.hash,
      );
    const fresh = rules.filter((rule) => !isKnown(rule));
    if (fresh.length > maxRules) {
      return setFailure(i18n.t('Import up to {count} new rules at a time.', { count: number(maxRules) }));
    }
    setFound({ rules: fresh, known: rules.length - fresh.length, unreadable });
  }

  function publish() {
    const items = (found?.rules ?? []).map(
      ({ kind, terms }): Item => ({
        kind: 'rule',
        roomId: list.roomId,
        types: eventTypesOf(kind).slice(0, 1),
        stateKey: `${terms.entity ?? terms.hash} ${terms.recommendation}`,
        name: terms.entity ?? `sha256:${terms.hash}`,
        terms,
      }),
    );
    const context = { server, queryClient, deletedReports };
    // As when adding a rule from a page: the team publishes in this list.
    const fields = { [takePower]: true, [leaveAfterwards]: true };
    const run = startJob(context, { action: publishRules, items, answers: { reason: '', fields } });
    offerUndoOfJob(context, publishRules, run);
    onClose();
  }

  const count = found?.rules.length ?? 0;
  return (
    <Modal opened onClose={onClose} title={i18n.t('Import rules')}>
      <ConfirmForm
        label={
          count > 0
            ? i18n.t('{count, plural, one {Add rule} other {Add # rules}}', { count })
            : i18n.t('Import rules')
        }
        failure={failure}
        disabled={count === 0}
        onSubmit={publish}
        onCancel={onClose}
      >
        <FileInput
          size="xs"
          label={i18n.t('File')}
          description={i18n.t(
            'CSV, JSON or NDJSON with kind, entity, recommendation and reason, or state events',
          )}
          placeholder={i18n.t('Choose file')}
          accept=".csv,.json,.ndjson,text/csv,application/json"
          value={file}
          onChange={(chosen) => void choose(chosen)}
        />
        {found && (
          <p className={classes.note} role="status">
            {[
              i18n.t('{count, plural, one {# new rule} other {# new rules}}', { count }),
              i18n.t('{count} in the list already', { count: number(found.known) }),
              i18n.t('{count} unreadable', { count: number(found.unreadable) }),
            ].join(' · ')}
          </p>
        )}
      </ConfirmForm>
    </Modal>
  );
}
