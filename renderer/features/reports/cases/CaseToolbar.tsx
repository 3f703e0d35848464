import { i18n } from '@lingui/core';
import { ActionIcon, Menu } from '@mantine/core';
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { lazy, type Ref, Suspense } from 'react';
import { ButtonMenu } from '../../../components/ButtonMenu.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { SearchField } from '../../../components/table/SearchField.tsx';
import { SavedViews } from '../../../team/SavedViews.tsx';
import { CaseFilterMenu, roomsOf } from './CaseFilterMenu.tsx';
import classes from './Cases.module.css';
import { orderNames } from './case-names.ts';
import { type CaseSearch, caseOrders } from './case-search.ts';
import { casesList } from './team-queues.ts';
import type { CaseList } from './use-cases.ts';

const CaseViewDialog = lazy(async () => ({ default: (await import('./CaseViewDialog.tsx')).CaseViewDialog }));

/** The search parameters of the open case. */
const openRow = ['case', 'report'];

type Props = {
  cases: CaseList;
  search: CaseSearch;
  filterRef: Ref<HTMLInputElement>;
  isSorting: boolean;
  onSorting: (isSorting: boolean) => void;
  onChange: (changes: Partial<CaseSearch>) => void;
};

/** Search, filters, order and saved views of the list of cases. */
export function CaseToolbar({ cases, search, filterRef, isSorting, onSorting, onChange }: Props) {
  const { all, order, teamQueue, teamCounts } = cases;
  const usualOrder = teamQueue ? 'oldest' : 'urgent';
  return (
    <search className={classes.filters} aria-label={i18n.t('Filters')}>
      <SearchField
        label={i18n.t('Search cases')}
        value={search.text}
        inputRef={filterRef}
        onChange={(text) => onChange({ text })}
      />
      <CaseFilterMenu search={search} cases={all} onChange={onChange} />
      <OrderMenu
        order={order}
        opened={isSorting}
        onOpen={onSorting}
        onOrder={(next) => onChange({ order: next === usualOrder ? undefined : next })}
      />
      <SavedViews
        list={casesList}
        isBesideField
        openRow={openRow}
        dialog={(props) => (
          <Suspense>
            <CaseViewDialog {...props} rooms={roomsOf(all)} position={teamCounts.length + 1} />
          </Suspense>
        )}
      />
    </search>
  );
}

type OrderMenuProps = {
  order: NonNullable<CaseSearch['order']>;
  opened: boolean;
  onOpen: (opened: boolean) => void;
  onOrder: (order: NonNullable<CaseSearch['order']>) => void;
};

function OrderMenu({ order, opened, onOpen, onOrder }: OrderMenuProps) {
  const name = i18n.t(orderNames[order]);
  const Icon = order === 'oldest' ? IconSortAscending : IconSortDescending;
  return (
    <ButtonMenu
      opened={opened}
      onChange={onOpen}
      position="bottom-end"
      button={
        <Hint label={name}>
          <ActionIcon variant="default" size="input-xs" aria-label={i18n.t('Sort: {order}', { order: name })}>
            <Icon size={16} stroke={1.6} />
          </ActionIcon>
        </Hint>
      }
    >
      <Menu.Dropdown aria-label={i18n.t('Sort cases')}>
        {caseOrders.map((each) => (
          <Menu.RadioItem
            closeMenuOnClick
            key={each}
            value={each}
            checked={each === order}
            onClick={() => onOrder(each)}
          >
            {i18n.t(orderNames[each])}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
