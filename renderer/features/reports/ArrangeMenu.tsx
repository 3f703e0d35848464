import { i18n } from '@lingui/core';
import { ActionIcon, Menu } from '@mantine/core';
import { IconSortAscending, IconSortDescending, IconStack2 } from '@tabler/icons-react';
import { ButtonMenu } from '../../components/ButtonMenu.tsx';
import type { Command } from '../../components/commands.ts';
import { Hint } from '../../components/Hint.tsx';
import { type Grouping, type Order, orderOf, type ReportSearch } from './report-search.ts';

const orderLabels: Record<Order, string> = {
  newest: /*i18n*/ 'Newest first',
  oldest: /*i18n*/ 'Oldest first',
  severity: /*i18n*/ 'Most severe first',
  count: /*i18n*/ 'Most reported messages',
  sender: /*i18n*/ 'Most reported users',
};
export const orderLabel = (order: Order, { group }: Pick<ReportSearch, 'group'>): string =>
  group && order === 'count' ? i18n.t('Most reports') : i18n.t(orderLabels[order]);
export const groupLabels: Record<Grouping, string> = {
  event: /*i18n*/ 'By message',
  sender: /*i18n*/ 'By sender',
  room: /*i18n*/ 'By room',
  reporter: /*i18n*/ 'By reporter',
};
const ordersOf = ({ group }: Pick<ReportSearch, 'group'>) =>
  (Object.keys(orderLabels) as Order[]).filter((order) => !(group && order === 'sender'));
const groups = Object.keys(groupLabels) as Grouping[];

export type Arrangement = 'order' | 'group';
type Change = Partial<ReportSearch>;

/** Returns search parameters for an order, without the default. */
const orderChange = (order: Order, { group }: Pick<ReportSearch, 'group'>): Change => ({
  order: order === orderOf({ group }) ? undefined : order,
});

/** Palette commands for sorting and grouping, and shortcuts for their menus. */
export function arrangeCommands(
  search: ReportSearch,
  onChange: (change: Change) => void,
  open: (menu: Arrangement) => void,
): Command[] {
  const named = (id: string, words: string, change: Change, Icon: typeof IconStack2): Command => ({
    id,
    label: i18n.t('Reports: {arrangement}', { arrangement: words }),
    group: i18n.t('Reports'),
    icon: <Icon size={17} stroke={1.6} />,
    run: () => onChange(change),
  });
  return [
    {
      id: 'group',
      label: i18n.t('Group reports'),
      group: i18n.t('Reports'),
      keys: ['v'],
      icon: <IconStack2 size={17} stroke={1.6} />,
      run: () => open('group'),
    },
    {
      id: 'order',
      label: i18n.t('Sort reports'),
      group: i18n.t('Reports'),
      keys: ['V'],
      icon: <IconSortDescending size={17} stroke={1.6} />,
      run: () => open('order'),
    },
    ...groups
      .filter((group) => group !== search.group)
      .map((group) => named(`group ${group}`, i18n.t(groupLabels[group]), { group }, IconStack2)),
    ...(search.group ? [named('group none', i18n.t('Ungrouped'), { group: undefined }, IconStack2)] : []),
    ...ordersOf(search)
      .filter((order) => order !== orderOf(search))
      .map((order) =>
        named(`order ${order}`, orderLabel(order, search), orderChange(order, search), IconSortDescending),
      ),
  ];
}

type Props = {
  search: ReportSearch;
  onChange: (change: Partial<ReportSearch>) => void;
  /** The menu that is open. */
  opened: Arrangement | undefined;
  onOpen: (menu: Arrangement | undefined) => void;
};

/** Menus for sorting and grouping. */
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
              size="input-xs"
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
              onClick={() => onChange(orderChange(each, search))}
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
              size="input-xs"
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
