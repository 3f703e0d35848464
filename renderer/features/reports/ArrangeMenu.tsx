import { i18n } from '@lingui/core';
import { ActionIcon, Menu } from '@mantine/core';
import { IconSortAscending, IconSortDescending, IconStack2 } from '@tabler/icons-react';
import { ButtonMenu } from '../../components/ButtonMenu.tsx';
import { Hint } from '../../components/Hint.tsx';
import { type Arrangement, groupLabels, groups, inOrder, orderLabel, ordersOf } from './arrange-commands.tsx';
import { orderOf } from './narrowing.ts';
import type { ReportSearch } from './report-search.ts';

type Props = {
  search: ReportSearch;
  onChange: (change: Partial<ReportSearch>) => void;
  /** The menu that is open. */
  opened: Arrangement | undefined;
  onOpen: (menu: Arrangement | undefined) => void;
};

/** In which order the reports stand, and whether those on the same thing stand as one. */
export function ArrangeMenu({ search, onChange, opened, onOpen }: Props) {
  const order = orderOf(search);
  const menu = (name: Arrangement) => ({
    opened: opened === name,
    onChange: (is: boolean) => onOpen(is ? name : undefined),
  });
  const Icon = order === 'oldest' ? IconSortAscending : IconSortDescending;
  return (
    <>
      <ButtonMenu
        {...menu('order')}
        position="bottom-end"
        button={
          <Hint label={orderLabel(order, search)}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={i18n.t('Sort: {order}', { order: orderLabel(order, search) })}
            >
              <Icon size={16} stroke={1.6} />
            </ActionIcon>
          </Hint>
        }
      >
        <Menu.Dropdown>
          {ordersOf(search).map((each) => (
            <Menu.RadioItem
              closeMenuOnClick
              key={each}
              value={each}
              checked={each === order}
              onClick={() => onChange(inOrder(each, search))}
            >
              {orderLabel(each, search)}
            </Menu.RadioItem>
          ))}
        </Menu.Dropdown>
      </ButtonMenu>
      <ButtonMenu
        {...menu('group')}
        position="bottom-end"
        button={
          <Hint label={i18n.t('Group reports')}>
            <ActionIcon
              variant={search.group ? 'light' : 'default'}
              size={30}
              aria-label={i18n.t('Group reports')}
            >
              <IconStack2 size={16} stroke={1.6} />
            </ActionIcon>
          </Hint>
        }
      >
        <Menu.Dropdown>
          <Menu.RadioItem
            closeMenuOnClick
            value="none"
            checked={!search.group}
            onClick={() => onChange({ group: undefined })}
          >
            {i18n.t('Ungrouped')}
          </Menu.RadioItem>
          {groups.map((each) => (
            <Menu.RadioItem
              closeMenuOnClick
              key={each}
              value={each}
              checked={each === search.group}
              onClick={() => onChange({ group: each })}
            >
              {i18n.t(groupLabels[each])}
            </Menu.RadioItem>
          ))}
        </Menu.Dropdown>
      </ButtonMenu>
    </>
  );
}
