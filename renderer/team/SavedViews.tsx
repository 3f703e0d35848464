import { i18n } from '@lingui/core';
import { ActionIcon, Menu, Modal, TextInput } from '@mantine/core';
import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react';
import { useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ButtonMenu } from '../components/ButtonMenu.tsx';
import { ConfirmForm } from '../components/ConfirmForm.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { noticesOf } from '../components/notices.ts';
import { storedLayout } from '../components/table/stored-layout.ts';
import { inSentence } from '../components/text-hazards.ts';
import { useConsole, useServer } from '../console-context.ts';
import { newId } from '../new-id.ts';
import { useStoreValue } from '../subscribers.ts';
import {
  areSameColumns,
  areSameSearch,
  maxViewName,
  type NamedSearch,
  type SavedView,
  viewColumns,
  viewKind,
  viewsOf,
} from './saved-views.ts';
import { useRoleLimit } from './use-role.ts';
import { useTeam } from './use-team.ts';

export type ViewDialogProps = {
  initial: NamedSearch;
  hasColumns: boolean;
  onSave: (view: NamedSearch) => void;
  onClose: () => void;
};

type Props = {
  /** Name of the list; of a table with columns to choose, the table's `id`. */
  list: string;
  hasColumns?: boolean;
  /** Search parameters of the open row, which aren't part of a view. */
  openRow?: string | readonly string[];
  /** As high as the field, with a border. */
  isBesideField?: boolean;
  /** Renders the dialog in which views are saved; by default it asks for a name. */
  dialog?: (props: ViewDialogProps) => ReactNode;
};

/**
 * Renders the menu of a list's saved views: its filters, order and columns under a name, kept with the team. The search
 * parameter `view` has the key of a view that is used as a queue.
 */
export function SavedViews({ list, hasColumns = false, openRow = [], isBesideField = false, dialog }: Props) {
  const team = useTeam();
  const router = useRouter();
  const server = useServer();
  const { server: serverId, view: queue, ...address } = useLocation({ select: ({ search }) => search });
  const parameters = Object.entries(address);
  const isOfRow = ([name]: [string, unknown]) => [openRow].flat().includes(name);
  const opened = Object.fromEntries(parameters.filter(isOfRow));
  const search = Object.fromEntries(parameters.filter((each) => !isOfRow(each)));
  const kept = storedLayout(useConsole().deviceStorage, list);
  const layout = useStoreValue(kept, kept.read);
  const limit = useRoleLimit('lead');
  const [naming, setNaming] = useState<'new' | SavedView>();
  const views = viewsOf(team.documents(viewKind), list);
  const active = views.find((view) => {
    if (queue !== undefined) return view.key === queue;
    const hasSameColumns = !hasColumns || areSameColumns(view.columns, layout);
    return !view.queue && areSameSearch(view.search, search) && hasSameColumns;
  });

  const go = (next: object) =>
    void router.navigate({ to: '.', search: { ...next, server: serverId } as never });
  function open({ key, search, columns, queue }: SavedView) {
    if (hasColumns && columns) kept.write({ ...layout, ...viewColumns(columns) });
    go(queue ? { view: key } : search);
  }
  const put = (key: string, { key: _key, ...view }: NamedSearch & { key?: string }) =>
    team.putDocument(viewKind, key, { ...view, list });
  function remove(view: SavedView) {
    team.putDocument(viewKind, view.key, null);
    if (view.queue) go({});
    noticesOf(server).show({
      text: i18n.t('View {name} deleted', { name: inSentence(view.name) }),
      undo: () => put(view.key, view),
    });
  }
  const editLabel = dialog ? i18n.t('Edit view…') : i18n.t('Rename view…');
  const Bookmark = active ? IconBookmarkFilled : IconBookmark;

  return (
    <>
      <ButtonMenu
        position="bottom-end"
        button={
          <ActionIcon
            {...(isBesideField && { variant: 'default', size: 'input-xs' })}
            aria-label={i18n.t('Saved views')}
            title={i18n.t('Saved views')}
          >
            <Bookmark size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        }
      >
        <Menu.Dropdown>
          {views.map((view) => (
            <Menu.Item key={view.key} onClick={() => open(view)} fw={view === active ? 600 : undefined}>
              <HazardText text={view.name} />
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          {active?.queue && limit ? (
            <Menu.Item disabled>{limit}</Menu.Item>
          ) : active ? (
            <>
              <Menu.Item onClick={() => setNaming(active)}>{editLabel}</Menu.Item>
              <Menu.Item onClick={() => remove(active)}>{i18n.t('Delete view')}</Menu.Item>
            </>
          ) : (
            <Menu.Item onClick={() => setNaming('new')}>{i18n.t('Save current view…')}</Menu.Item>
          )}
        </Menu.Dropdown>
      </ButtonMenu>
      {naming &&
        (dialog ?? nameDialog)({
          hasColumns,
          initial:
            naming === 'new'
              ? { name: '', search, ...(hasColumns && { columns: viewColumns(layout) }) }
              : naming,
          onSave(view) {
            const key = naming === 'new' ? newId() : naming.key;
            const { queue: _queue, ...before } = naming === 'new' ? {} : { ...naming };
            put(key, { ...before, ...view });
            if (view.queue) go({ ...opened, view: key });
            else if (queue === key) go({ ...opened, ...view.search });
          },
          onClose: () => setNaming(undefined),
        })}
    </>
  );
}

const nameDialog = (props: ViewDialogProps) => <NameDialog {...props} />;

function NameDialog({ initial, hasColumns, onSave, onClose }: ViewDialogProps) {
  const [name, setName] = useState(initial.name);
  const label = initial.name === '' ? i18n.t('Save view') : i18n.t('Rename view');
  return (
    <Modal opened onClose={onClose} title={label} size="sm">
      <ConfirmForm
        label={label}
        disabled={name.trim() === ''}
        onSubmit={() => {
          onSave({ ...initial, name: name.trim() });
          onClose();
        }}
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label={i18n.t('Name')}
          description={
            hasColumns
              ? i18n.t('Saves filters, order and columns. Shared with the team if there is a team room.')
              : i18n.t('Saves filters and order. Shared with the team if there is a team room.')
          }
          maxLength={maxViewName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
        />
      </ConfirmForm>
    </Modal>
  );
}
