/** Filters that combine: a menu adds them, and each is a chip. */

import { i18n } from '@lingui/core';
import { CloseButton, Menu } from '@mantine/core';
import { IconFilterPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ButtonMenu } from '../ButtonMenu.tsx';
import { ButtonWithIcon } from '../ButtonWithIcon.tsx';
import classes from './FilterChips.module.css';

type Option = { id: string; label: string };

/** Renders the menu of the filters that aren't on. */
export function AddFilter({ options, onAdd }: { options: readonly Option[]; onAdd: (id: string) => void }) {
  if (options.length === 0) return null;
  return (
    <ButtonMenu
      position="bottom-start"
      button={
        <ButtonWithIcon variant="default" size="xs" icon={IconFilterPlus}>
          {i18n.t('Add filter')}
        </ButtonWithIcon>
      }
    >
      <Menu.Dropdown>
        {options.map(({ id, label }) => (
          <Menu.Item key={id} onClick={() => onAdd(id)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}

type ChipProps = {
  label: string;
  onRemove: () => void;
  /** In place of the label: a field. */
  children?: ReactNode;
};

export function FilterChip({ label, onRemove, children }: ChipProps) {
  return (
    <span className={classes.chip}>
      {children ?? label}
      <CloseButton
        size="xs"
        aria-label={i18n.t('Remove filter: {name}', { name: label })}
        onClick={onRemove}
      />
    </span>
  );
}
