import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconDownload, IconPlus, IconScale, IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { fits, misfit } from '../../../../shared/fits.ts';
import { readJson } from '../../../../shared/read-json.ts';
import { type KeyedPolicy, PolicyFile, policiesIn, policyKind } from '../../../../shared/team/policies.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { saveFile } from '../../../components/file/file-sink.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { StateMessage } from '../../../components/LoadStates.tsx';
import { Page } from '../../../components/page/Page.tsx';
import { useTabTitle } from '../../../components/page/use-window-title.ts';
import { StateMark } from '../../../components/State.tsx';
import { inSentence } from '../../../components/text-hazards.ts';
import { useCommands, useConsole, useServer } from '../../../console-context.ts';
import { rungText, weightText } from '../../../team/policy-words.ts';
import { severityState } from '../../../team/severity-state.ts';
import { TeamNotice } from '../../../team/TeamNotice.tsx';
import { useRoleLimit } from '../../../team/use-role.ts';
import { useTeamReading, useTeamValue } from '../../../team/use-team.ts';
import { dayOf } from '../../../words/format.ts';
import { changeDocuments, DocumentEditor, RowButton } from '../DocumentEditor.tsx';
import classes from '../Documents.module.css';
import { emptyPolicy, PolicyForm } from './PolicyForm.tsx';
import { starterPolicies } from './starter-policies.ts';

/** The team's written rules. */
export function PoliciesScreen() {
  const title = i18n.t('Policies');
  useTabTitle(title);
  const server = useServer();
  const documents = useTeamValue((team) => team.documents(policyKind));
  const { isRead } = useTeamReading();
  const policies = policiesIn(documents);
  /** The policy in the form: a new one is empty. */
  const [edited, setEdited] = useState<KeyedPolicy | 'new'>();
  const [problem, setProblem] = useState('');
  const create = () => setEdited('new');
  const limit = useRoleLimit('lead');
  useCommands(
    limit
      ? []
      : [
          {
            id: 'new policy',
            label: i18n.t('Create policy'),
            group: i18n.t('Policies'),
            icon: <IconPlus size={17} stroke={1.6} />,
            run: create,
          },
        ],
  );

  const addStarters = () => {
    const missing = Object.entries(starterPolicies()).filter(([key]) => !documents.has(key));
    changeDocuments(
      server,
      policyKind,
      new Map(missing),
      i18n.t('{count, plural, one {# draft} other {# drafts}} added', { count: missing.length }),
    );
  };
  async function read(file: File) {
    setProblem('');
    try {
      if (file.size > maxFileBytes) throw new RangeError(i18n.t('The file is larger than 2 MB.'));
      const content = readJson(await file.text());
      if (!fits(PolicyFile, content)) {
        const field = misfit(PolicyFile, content);
        throw new RangeError(
          field ? i18n.t('Unexpected value: {field}', { field }) : i18n.t('Not a list of policies.'),
        );
      }
      changeDocuments(
        server,
        policyKind,
        new Map(content.policies.map(({ key, ...policy }) => [key, policy])),
        i18n.t('{count, plural, one {# policy} other {# policies}} imported', {
          count: content.policies.length,
        }),
      );
    } catch (error) {
      setProblem(
        i18n.t("Couldn't import {name}: {why}", {
          name: file.name,
          why: error instanceof RangeError ? error.message : i18n.t('Not a JSON file.'),
        }),
      );
    }
  }

  return (
    <Page
      title={title}
      description={i18n.t(
        "Your team's rules. Decisions can name the policy they rest on, which recommends an action by the user's strikes.",
      )}
    >
      {limit && <p className={classes.note}>{limit}</p>}
      {policies.length > 0 && (
        <Tools policies={policies} isLimited={limit !== undefined} onCreate={create} onFile={read} />
      )}
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      {policies.length === 0 && isRead && (
        <StateMessage
          icon={<IconScale size={24} stroke={1.5} />}
          title={i18n.t('No policies')}
          description={
            limit
              ? i18n.t(
                  'A policy is a rule with a severity, recommended actions by number of strikes, and messages to users.',
                )
              : i18n.t(
                  'A policy is a rule with a severity, recommended actions by number of strikes, and messages to users. Start with drafts for spam, harassment, threats, self-harm and illegal content, and adapt them to your server.',
                )
          }
        >
          {!limit && (
            <>
              <Button onClick={addStarters}>{i18n.t('Add starter drafts')}</Button>
              <Button variant="default" onClick={create}>
                {i18n.t('Create policy')}
              </Button>
              <ImportButton onFile={read} />
            </>
          )}
        </StateMessage>
      )}
      <TeamNotice />
      <ul className={classes.list}>
        {policies.map((policy) => (
          <PolicyRow
            key={policy.key}
            policy={policy}
            isLimited={limit !== undefined}
            onEdit={() => setEdited(policy)}
            onDelete={() =>
              changeDocuments(
                server,
                policyKind,
                new Map([[policy.key, null]]),
                i18n.t('Policy {name} deleted', { name: inSentence(policy.name) }),
              )
            }
          />
        ))}
      </ul>
      <DocumentEditor
        kind={policyKind}
        edited={edited}
        empty={emptyPolicy}
        taken={documents}
        words={{
          create: i18n.t('Create policy'),
          edit: i18n.t('Edit policy'),
          save: i18n.t('Save policy'),
          saved: (name) => i18n.t('Policy {name} saved', { name: inSentence(name) }),
        }}
        Form={PolicyForm}
        onClose={() => setEdited(undefined)}
      />
    </Page>
  );
}

const maxFileBytes = 2_000_000;

type ToolsProps = {
  policies: readonly KeyedPolicy[];
  isLimited: boolean;
  onCreate: () => void;
  onFile: (file: File) => unknown;
};

function Tools({ policies, isLimited, onCreate, onFile }: ToolsProps) {
  const { host } = useConsole();
  const save = () =>
    saveFile(`policies-${dayOf(Date.now())}.json`, 'application/json', host.shell !== undefined, (write) =>
      write(`${JSON.stringify({ policies }, undefined, 2)}\n`),
    );
  return (
    <div className={classes.tools}>
      {!isLimited && (
        <>
          <ButtonWithIcon icon={IconPlus} onClick={onCreate}>
            {i18n.t('Create policy')}
          </ButtonWithIcon>
          <ImportButton onFile={onFile} />
        </>
      )}
      <ButtonWithIcon variant="default" icon={IconDownload} onClick={() => void save()}>
        {i18n.t('Export')}
      </ButtonWithIcon>
    </div>
  );
}

function ImportButton({ onFile }: { onFile: (file: File) => unknown }) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={i18n.t('Policies to import')}
        accept="application/json,.json"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file) void onFile(file);
        }}
      />
      <ButtonWithIcon variant="default" icon={IconUpload} onClick={() => chooser.current?.click()}>
        {i18n.t('Import…')}
      </ButtonWithIcon>
    </>
  );
}

type RowProps = { policy: KeyedPolicy; isLimited: boolean; onEdit: () => void; onDelete: () => void };

function PolicyRow({ policy, isLimited, onEdit, onDelete }: RowProps) {
  const { name, text, severity, ladder, templates, draft } = policy;
  const languages = Object.keys(templates);
  return (
    <li className={classes.document}>
      <div className={classes.row}>
        <h2 className={classes.name}>
          <HazardText text={name} /> {draft && <span className={classes.draft}>{i18n.t('Draft')}</span>}
        </h2>
        {!isLimited && (
          <>
            <RowButton label={i18n.t('Edit {name}', { name })} onClick={onEdit}>
              {i18n.t('Edit')}
            </RowButton>
            <RowButton label={i18n.t('Delete {name}', { name })} minor onClick={onDelete}>
              {i18n.t('Delete')}
            </RowButton>
          </>
        )}
      </div>
      {text && (
        <p className={classes.text} dir="auto">
          <HazardText text={text} />
        </p>
      )}
      <p className={classes.facts}>
        <StateMark {...severityState(severity)} />
        <span>{weightText(policy)}</span>
        {ladder.map((step) => (
          <span key={`${step.strikes} ${step.action}`}>
            <HazardText text={rungText(step)} />
          </span>
        ))}
        {languages.length > 0 && (
          <span>{i18n.t('Messages: {languages}', { languages: languages.join(', ') })}</span>
        )}
      </p>
    </li>
  );
}
