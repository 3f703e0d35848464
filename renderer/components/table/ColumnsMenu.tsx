import { i18n } from '@lingui/core';
import { ActionIcon, Menu } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { ButtonMenu } from '../ButtonMenu.tsx';
import type { Column } from './column.ts';
import type { TableLayout } from './table-layout.ts';

type Props<Row> = { columns: readonly Column<Row>[]; layout: TableLayout };

/** Which columns are shown; the first always is. */
export function ColumnsMenu<Row>({ columns, layout }: Props<Row>) {
  return (
    <ButtonMenu
      position="bottom-end"
      closeOnItemClick={false}
      button={
        <ActionIcon aria-label={i18n.t('Columns')} title={i18n.t('Columns')}>
          <IconColumns size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      }
    >
      <Menu.Dropdown>
        {columns.slice(1).map((column) => (
          <Menu.CheckboxItem
            key={column.id}
            checked={layout.isShown(column)}
            onChange={() => layout.toggle(column)}
          >
            {column.name}
          </Menu.CheckboxItem>
        ))}
        {layout.isChanged && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={layout.reset}>{i18n.t('Reset columns')}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
