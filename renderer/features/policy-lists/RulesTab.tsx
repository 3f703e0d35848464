import { i18n } from '@lingui/core';
import { IconEyeOff, IconPlus, IconUpload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { addRule } from '../../actions/catalogue/policy-rules.ts';
import { nameOfRule, type PolicyRule } from '../../api/policy-lists/policy-rules.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import listClasses from '../../components/table/ListScreen.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { timeColumn } from '../../components/table/TimeCell.tsx';
import { useCommands, useServer } from '../../console-context.ts';
import { LoadedUserLink } from '../../subjects/UserCell.tsx';
import { useRoleLimit } from '../../team/use-role.ts';
import { ellipsize } from '../../words/clip.ts';
import { ActionDialog } from './ActionDialog.tsx';
import { ImportRules } from './ImportRules.tsx';
import type { TabProps } from './open-list.ts';
import classes from './PolicyLists.module.css';
import { KindField, kindName, reasonColumn, recommendationColumn } from './rule-columns.tsx';
import { UnwatchDialog } from './UnwatchDialog.tsx';

type Props = TabProps & {
  query: { error: Error | null; isFetching: boolean; dataUpdatedAt: number; refetch: () => unknown };
  isWatched: boolean;
  onUnwatched: () => void;
};

const idOf = ({ types: [type], stateKey }: PolicyRule) => `${type} ${stateKey}`;

export function RulesTab({ list, tabs, search, onChange, query, isWatched, onUnwatched }: Props) {
  const server = useServer();
  const { roomId, name, rules } = list;
  const limit = useRoleLimit('moderator');
  const publish = list.publish && !limit;
  const { text, kind } = search;
  const [open, setOpen] = useState<'add' | 'import' | 'unwatch'>();
  const close = () => setOpen(undefined);
  const matches = useMemo(() => {
    const words = text?.toLowerCase();
    return rules.filter(
      (rule) =>
        (kind === undefined || rule.kind === kind) &&
        (words === undefined ||
          `${nameOfRule(rule)}\n${rule.reason}\n${rule.sender}`.toLowerCase().includes(words)),
    );
  }, [rules, text, kind]);
  const byId = useMemo(() => new Map(rules.map((rule) => [idOf(rule), rule])), [rules]);
  const columns = useMemo(ruleColumns, []);
  const add = (
    <ButtonWithIcon variant="default" aria-haspopup="dialog" icon={IconPlus} onClick={() => setOpen('add')}>
      {i18n.t('Add rule')}
    </ButtonWithIcon>
  );
  useCommands(
    publish
      ? [{ id: 'add rule', label: i18n.t('Add rule'), group: name, keys: ['n'], run: () => setOpen('add') }]
      : [],
  );
  return (
    <>
      <ListScreen
        id="policy-rules"
        title={name}
        tabs={tabs}
        columns={columns}
        rows={localRows(JSON.stringify([server.id, roomId, text, kind]), matches, query)}
        idOf={idOf}
        search={{
          label: i18n.t('Search subjects and reasons'),
          value: text,
          onChange: (next) => onChange({ text: next }),
        }}
        filters={<KindField value={kind} onChange={(next) => onChange({ kind: next })} />}
        headingActions={() => (
          <>
            {publish && add}
            {publish && (
              <ButtonWithIcon variant="default" icon={IconUpload} onClick={() => setOpen('import')}>
                {i18n.t('Import')}
              </ButtonWithIcon>
            )}
            {isWatched && !limit && (
              <ButtonWithIcon variant="default" icon={IconEyeOff} onClick={() => setOpen('unwatch')}>
                {i18n.t('Unwatch')}
              </ButtonWithIcon>
            )}
          </>
        )}
        above={() => (
          <>
            {!list.isUpdated && <Outdated />}
            {(list.publish || isWatched) && limit && <div className={listClasses.strip}>{limit}</div>}
          </>
        )}
        emptyAction={publish && add}
        isFiltered={text !== undefined || kind !== undefined}
        onClear={() => onChange({ text: undefined, kind: undefined })}
        countOf={(count) => i18n.t('{count, plural, one {# rule} other {# rules}}', { count })}
        texts={{
          loading: i18n.t('Loading rules…'),
          loadFailed: i18n.t("Couldn't load rules"),
          empty: i18n.t('No rules'),
          emptyNote: list.publish
            ? i18n.t('Add rules here, or from the page of a user, room or server.')
            : i18n.t('This room has no policy rules.'),
          noMatches: i18n.t('No matching rules'),
        }}
        {...(publish && {
          actions: (selected: readonly string[], onActed: () => void) => (
            <RuleActions
              roomId={roomId}
              rules={selected.flatMap((id) => byId.get(id) ?? [])}
              onActed={onActed}
            />
          ),
        })}
      />
      {open === 'add' && (
        <ActionDialog action={addRule} items={[{ kind: 'room', roomId, name }]} onClose={close} />
      )}
      {open === 'import' && <ImportRules list={list} onClose={close} />}
      {open === 'unwatch' && <UnwatchDialog list={list} onUnwatched={onUnwatched} onClose={close} />}
    </>
  );
}

type ActionsProps = { roomId: string; rules: readonly PolicyRule[]; onActed: () => void };

function RuleActions({ roomId, rules, onActed }: ActionsProps) {
  const on = useMemo(
    () => ({
      rules: rules.map((rule) => ({
        roomId,
        types: [...rule.types],
        stateKey: rule.stateKey,
        name: nameOfRule(rule),
      })),
    }),
    [roomId, rules],
  );
  const [rule] = rules.length === 1 ? rules : [];
  return <ActionBar on={on} onActed={onActed} {...(rule && { known: { rule } })} />;
}

const Outdated = () => (
  <div className={listClasses.strip} role="status">
    <span className={classes.problem}>
      {i18n.t('No local user is in this room: rules are no longer updated. Watch the list again.')}
    </span>
  </div>
);

const ruleColumns = (): Column<PolicyRule>[] => [
  {
    id: 'entity',
    name: i18n.t('ID or pattern'),
    width: 260,
    value: ({ entity }) => entity ?? null,
    cell: (rule) => (
      <bdi className={cells.mono} title={nameOfRule(rule)}>
        <HazardText text={ellipsize(nameOfRule(rule), 200)} />
      </bdi>
    ),
  },
  {
    id: 'kind',
    name: i18n.t('Subject'),
    width: 90,
    cell: ({ kind }) => i18n.t(kindName[kind]),
  },
  recommendationColumn((rule) => rule),
  reasonColumn((rule) => rule),
  {
    id: 'at',
    name: i18n.t('Changed'),
    width: 110,
    ...timeColumn(({ at }) => at),
  },
  {
    id: 'sender',
    name: i18n.t('Added by'),
    width: 170,
    isMinor: true,
    cell: ({ sender }) => <LoadedUserLink userId={sender} />,
  },
  {
    id: 'hash',
    name: i18n.t('SHA-256'),
    width: 160,
    hiddenByDefault: true,
    cell: ({ hash }) => hash && <span className={cells.mono}>{hash}</span>,
  },
];
