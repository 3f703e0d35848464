import { i18n } from '@lingui/core';
import { ActionIcon, Menu } from '@mantine/core';
import { IconSortAscending, IconSortDescending, IconStack2 } from '@tabler/icons-react';
import { ButtonMenu } from '../../components/ButtonMenu.tsx';
import { Hint } from '../../components/Hint.tsx';
import { type Order, orderOf } from './narrowing.ts';
import type { Grouping, ReportSearch } from './report-search.ts';

export const orderLabels: Record<Order, string> = {
  newest: /*i18n*/ 'Newest first',
  oldest: /*i18n*/ 'Oldest first',
  severity: /*i18n*/ 'Most severe first',
  count: /*i18n*/ 'Most reported first',
};
export const groupLabels: Record<Grouping, string> = {
  event: /*i18n*/ 'By message',
  sender: /*i18n*/ 'By sender',
  room: /*i18n*/ 'By room',
  reporter: /*i18n*/ 'By reporter',
};
const orders = Object.keys(orderLabels) as Order[];
const groups = Object.keys(groupLabels) as Grouping[];

type Props = { search: ReportSearch; onChange: (change: Partial<ReportSearch>) => void };

/** In which order the reports stand, and whether those on the same thing stand as one. */
export function ArrangeMenu({ search, onChange }: Props) {
  const order = orderOf(search);
  const usual = orderOf({ group: search.group });
  const Icon = order === 'oldest' ? IconSortAscending : IconSortDescending;
  return (
    <>
      <ButtonMenu
        position="bottom-end"
        button={
          <Hint label={i18n.t(orderLabels[order])}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={i18n.t('Order: {order}', { order: i18n.t(orderLabels[order]) })}
            >
              <Icon size={16} stroke={1.6} />
            </ActionIcon>
          </Hint>
        }
      >
        <Menu.Dropdown>
          {orders.map((each) => (
            <Menu.RadioItem
              closeMenuOnClick
              key={each}
              value={each}
              checked={each === order}
              onClick={() => onChange({ order: each === usual ? undefined : each })}
            >
              {i18n.t(orderLabels[each])}
            </Menu.RadioItem>
          ))}
        </Menu.Dropdown>
      </ButtonMenu>
      <ButtonMenu
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
            {i18n.t('Each report by itself')}
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
