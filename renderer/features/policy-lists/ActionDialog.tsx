import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Action, ItemState } from '../../actions/action.ts';
import { actionText } from '../../actions/action-words.ts';
import type { Item } from '../../actions/items.ts';
import { useActionPanel } from '../../actions/panel/use-action-panel.ts';
import classes from './PolicyLists.module.css';

type Props = {
  action: Action;
  items: readonly Item[];
  known?: ItemState;
  onClose: () => void;
  /** Above the form. */
  children?: ReactNode;
};

/** Confirms an action in a dialog, for actions that no bar offers. */
export function ActionDialog({ action, items, known = {}, onClose, children }: Props) {
  const ActionPanel = useActionPanel(true);
  if (!ActionPanel) return null;
  return (
    <Modal
      opened
      onClose={onClose}
      // The panel has the title.
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      attributes={{ content: { 'aria-label': actionText(action, 'label', items) } }}
      classNames={{ body: classes.dialog ?? '' }}
    >
      {children}
      <ActionPanel choice={{ action, items, remote: 0, known }} isObsolete={false} onClose={onClose} />
    </Modal>
  );
}
