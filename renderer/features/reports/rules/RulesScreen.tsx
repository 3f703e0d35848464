import { i18n } from '@lingui/core';
import { Button, Modal, Switch } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type KeyedRule, type Rule, ruleKind } from '../../../../shared/team/rules.ts';
import { type KeyedWordList, wordsKind } from '../../../../shared/team/word-lists.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { Page } from '../../../components/page/Page.tsx';
import { useTabTitle } from '../../../components/page/use-window-title.ts';
import { StateMark } from '../../../components/State.tsx';
import { inSentence } from '../../../components/text-hazards.ts';
import { useCommands, useServer } from '../../../console-context.ts';
import { severityName } from '../../../team/case-words.ts';
import { ruleName } from '../../../team/rule-names.ts';
import { severityState } from '../../../team/severity-state.ts';
import { TeamNotice } from '../../../team/TeamNotice.tsx';
import { useRoleLimit } from '../../../team/use-role.ts';
import { changeDocuments, DocumentEditor, RowButton } from '../DocumentEditor.tsx';
import documentClasses from '../Documents.module.css';
import { DryRunDialog } from './DryRunDialog.tsx';
import { emptyRule, RuleForm } from './RuleForm.tsx';
import classes from './Rules.module.css';
import { useTeamRules } from './rule-facts.ts';
import { conditionTexts, effectTexts, listText, needsWatcher, watchNote } from './rule-words.ts';
import { emptyWordList, WordListForm } from './WordListForm.tsx';

/** The team's automatic rules, and the words that they look for. */
export function RulesScreen() {
  const title = i18n.t('Automatic rules');
  useTabTitle(title);
  const server = useServer();
  const { rules, lists } = useTeamRules();
  const [editedRule, setEditedRule] = useState<KeyedRule | 'new'>();
  const [editedList, setEditedList] = useState<KeyedWordList | 'new'>();
  const { test: testedKey } = useSearch({ from: '/frame/server/reports/rules' });
  const navigate = useNavigate({ from: '/reports/rules' });
  const setTestedKey = (test: string | undefined) =>
    void navigate({ search: (current) => ({ ...current, test }) });
  const tested = rules.find(({ key }) => key === testedKey);
  const group = title;
  const limit = useRoleLimit('lead');
  useCommands(
    limit
      ? []
      : [
          { id: 'new rule', label: i18n.t('Create rule'), group, run: () => setEditedRule('new') },
          { id: 'new word list', label: i18n.t('Create word list'), group, run: () => setEditedList('new') },
        ],
  );
  const saveRule = (key: string, rule: Rule | null, text: string) =>
    changeDocuments(server, ruleKind, new Map([[key, rule]]), text);

  return (
    <Page
      title={title}
      description={i18n.t(
        'Rules set the severity of cases as reports arrive, quarantine media and suspend new accounts. Test a rule on the last month before you switch it on.',
      )}
    >
      {limit ? (
        <p className={documentClasses.note}>{limit}</p>
      ) : (
        <div className={documentClasses.tools}>
          <ButtonWithIcon icon={IconPlus} onClick={() => setEditedRule('new')}>
            {i18n.t('Create rule')}
          </ButtonWithIcon>
        </div>
      )}
      <TeamNotice />
      <ul className={documentClasses.list} aria-label={i18n.t('Rules')}>
        {rules.map((rule) => (
          <RuleRow
            key={rule.key}
            rule={rule}
            isLimited={limit !== undefined}
            lists={lists}
            onEdit={() => setEditedRule({ ...rule, name: ruleName(rule) })}
            onTest={() => setTestedKey(rule.key)}
            onSwitchOff={() =>
              saveRule(
                rule.key,
                contentOf({ ...rule, on: false }),
                i18n.t('Rule {name} switched off', { name: inSentence(ruleName(rule)) }),
              )
            }
            onDelete={() =>
              saveRule(
                rule.key,
                null,
                rule.replacesBuiltIn
                  ? i18n.t('Rule {name} reset', { name: inSentence(ruleName(rule)) })
                  : i18n.t('Rule {name} deleted', { name: inSentence(ruleName(rule)) }),
              )
            }
          />
        ))}
      </ul>
      <section className={classes.lists} aria-labelledby="word-lists">
        <div className={documentClasses.row}>
          <h2 id="word-lists" className={classes.heading}>
            {i18n.t('Word lists')}
          </h2>
          {!limit && (
            <ButtonWithIcon
              variant="default"
              size="compact-xs"
              icon={IconPlus}
              onClick={() => setEditedList('new')}
            >
              {i18n.t('Create word list')}
            </ButtonWithIcon>
          )}
        </div>
        <p className={documentClasses.note}>
          {i18n.t('Words, link domains and files that rules look for in reasons and messages.')}
        </p>
        <ul className={documentClasses.list}>
          {lists.map((words) => (
            <ListRow
              key={words.key}
              words={words}
              isLimited={limit !== undefined}
              onEdit={() => setEditedList({ ...words, name: ruleName(words) })}
              onDelete={() =>
                changeDocuments(
                  server,
                  wordsKind,
                  new Map([[words.key, null]]),
                  words.replacesBuiltIn
                    ? i18n.t('Word list {name} reset', { name: inSentence(ruleName(words)) })
                    : i18n.t('Word list {name} deleted', { name: inSentence(ruleName(words)) }),
                )
              }
            />
          ))}
        </ul>
      </section>
      <DocumentEditor
        kind={ruleKind}
        edited={editedRule}
        empty={emptyRule}
        taken={new Set(rules.map(({ key }) => key))}
        words={{
          create: i18n.t('Create rule'),
          edit: i18n.t('Edit rule'),
          save: i18n.t('Save rule'),
          saved: (name) => i18n.t('Rule {name} saved', { name: inSentence(name) }),
        }}
        Form={RuleForm}
        onClose={() => setEditedRule(undefined)}
        onCreated={setTestedKey}
      />
      <DocumentEditor
        kind={wordsKind}
        edited={editedList}
        empty={emptyWordList}
        taken={new Set(lists.map(({ key }) => key))}
        words={{
          create: i18n.t('Create word list'),
          edit: i18n.t('Edit word list'),
          save: i18n.t('Save word list'),
          saved: (name) => i18n.t('Word list {name} saved', { name: inSentence(name) }),
        }}
        Form={WordListForm}
        onClose={() => setEditedList(undefined)}
      />
      <Modal
        opened={tested !== undefined}
        onClose={() => setTestedKey(undefined)}
        title={i18n.t('Test rule')}
        size="lg"
      >
        {tested && (
          <DryRunDialog
            rule={tested}
            isLimited={limit !== undefined}
            onSwitchOn={() => {
              saveRule(
                tested.key,
                contentOf({ ...tested, on: true }),
                i18n.t('Rule {name} switched on', { name: inSentence(ruleName(tested)) }),
              );
              setTestedKey(undefined);
            }}
            onClose={() => setTestedKey(undefined)}
          />
        )}
      </Modal>
    </Page>
  );
}

const contentOf = ({ key: _key, isBuiltIn: _, replacesBuiltIn: __, ...rule }: KeyedRule): Rule => rule;

type RowProps = {
  rule: KeyedRule;
  isLimited: boolean;
  lists: readonly KeyedWordList[];
  onEdit: () => void;
  onTest: () => void;
  onSwitchOff: () => void;
  onDelete: () => void;
};

function RuleRow({ rule, isLimited, lists, onEdit, onTest, onSwitchOff, onDelete }: RowProps) {
  const name = ruleName(rule);
  const { severity, ...others } = rule.effects;
  return (
    <li className={documentClasses.document}>
      <div className={documentClasses.row}>
        <Switch
          size="xs"
          aria-label={name}
          disabled={isLimited}
          checked={rule.on}
          onChange={() => (rule.on ? onSwitchOff() : onTest())}
        />
        <h2 className={documentClasses.name}>
          <HazardText text={name} />{' '}
          {!rule.on && <span className={documentClasses.draft}>{i18n.t('Off')}</span>}
        </h2>
        <RowButton label={i18n.t('Test {name}', { name })} onClick={onTest}>
          {i18n.t('Test')}
        </RowButton>
        {!isLimited && (
          <RowButton label={i18n.t('Edit {name}', { name })} onClick={onEdit}>
            {i18n.t('Edit')}
          </RowButton>
        )}
        {needsWatcher(rule) && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={i18n.t('Log of {name}', { name })}
            renderRoot={(attributes) => (
              <Link to="/reports/log" search={({ server }) => ({ server, rule: rule.key })} {...attributes} />
            )}
          >
            {i18n.t('Log')}
          </Button>
        )}
        {!isLimited && !rule.isBuiltIn && <DeleteButton of={rule} onDelete={onDelete} />}
      </div>
      <p className={documentClasses.facts}>
        {conditionTexts(rule, lists).map((text) => (
          <span key={text}>
            <HazardText text={text} />
          </span>
        ))}
      </p>
      <p className={documentClasses.facts}>
        {severity && (
          <StateMark {...severityState(severity)}>
            {i18n.t('Severity: {severity}', { severity: severityName(severity) })}
          </StateMark>
        )}
        {effectTexts({ when: rule.when, effects: others }).map((text) => (
          <span key={text} className={classes.effect}>
            {text}
          </span>
        ))}
      </p>
      {needsWatcher(rule) && <p className={documentClasses.note}>{watchNote()}</p>}
    </li>
  );
}

type ListRowProps = { words: KeyedWordList; isLimited: boolean; onEdit: () => void; onDelete: () => void };

function ListRow({ words, isLimited, onEdit, onDelete }: ListRowProps) {
  const name = ruleName(words);
  return (
    <li className={classes.words}>
      <h3 className={documentClasses.name}>
        <HazardText text={name} />
      </h3>
      <span className={classes.size}>{listText(words)}</span>
      {!isLimited && (
        <RowButton label={i18n.t('Edit {name}', { name })} onClick={onEdit}>
          {i18n.t('Edit')}
        </RowButton>
      )}
      {!isLimited && !words.isBuiltIn && <DeleteButton of={words} onDelete={onDelete} />}
    </li>
  );
}

/** Deleting the team's version of a built-in one restores the original. */
function DeleteButton({ of, onDelete }: { of: KeyedRule | KeyedWordList; onDelete: () => void }) {
  const name = ruleName(of);
  const isReset = of.replacesBuiltIn;
  return (
    <RowButton
      label={isReset ? i18n.t('Reset {name}', { name }) : i18n.t('Delete {name}', { name })}
      minor
      onClick={onDelete}
    >
      {isReset ? i18n.t('Reset') : i18n.t('Delete')}
    </RowButton>
  );
}
