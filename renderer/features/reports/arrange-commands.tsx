import { i18n } from '@lingui/core';
import { IconSortDescending, IconStack2 } from '@tabler/icons-react';
import type { Command } from '../../components/commands.ts';
import { type Order, orderOf } from './narrowing.ts';
import type { Grouping, ReportSearch } from './report-search.ts';

const orderLabels: Record<Order, string> = {
  newest: /*i18n*/ 'Newest first',
  oldest: /*i18n*/ 'Oldest first',
  severity: /*i18n*/ 'Most severe first',
  count: /*i18n*/ 'Most reported messages',
  sender: /*i18n*/ 'Most reported users',
};
/** Groups are counted as they are. */
export const orderLabel = (order: Order, { group }: Pick<ReportSearch, 'group'>): string =>
  group && order === 'count' ? i18n.t('Most reports') : i18n.t(orderLabels[order]);
export const groupLabels: Record<Grouping, string> = {
  event: /*i18n*/ 'By message',
  sender: /*i18n*/ 'By sender',
  room: /*i18n*/ 'By room',
  reporter: /*i18n*/ 'By reporter',
};
export const ordersOf = ({ group }: Pick<ReportSearch, 'group'>) =>
  (Object.keys(orderLabels) as Order[]).filter((order) => !(group && order === 'sender'));
export const groups = Object.keys(groupLabels) as Grouping[];

export type Arrangement = 'order' | 'group';
type Change = Partial<ReportSearch>;

/** What makes this the order; the usual one is left out of the address. */
export const inOrder = (order: Order, { group }: Pick<ReportSearch, 'group'>): Change => ({
  order: order === orderOf({ group }) ? undefined : order,
});

/** Every order and every grouping by its name, and their menus by key. */
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
        named(`order ${order}`, orderLabel(order, search), inOrder(order, search), IconSortDescending),
      ),
  ];
}
