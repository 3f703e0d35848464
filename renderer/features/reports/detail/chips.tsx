import { i18n } from '@lingui/core';
import { createContext, useContext } from 'react';
import { IdentityChip } from '../../../components/IdentityChip.tsx';
import type { ReportSearch } from '../report-search.ts';

/** What a report leads to: another list of reports, or another report. */
export type Ways = {
  onFilter: (filters: Partial<ReportSearch>) => void;
  onOpen: (reportId: number) => void;
};

export const ReportWays = createContext<Ways>({ onFilter: () => {}, onOpen: () => {} });

type Props = { kind: string; id: string; name?: string | null | undefined; quiet?: boolean };

/** A person: to copy, or to see what they have to do with reports. */
export function PersonChip({ kind, id, name = null, quiet = false }: Props) {
  const { onFilter } = useContext(ReportWays);
  return (
    <IdentityChip
      kind={kind}
      id={id}
      name={name}
      quiet={quiet}
      filters={[
        { label: i18n.t('Reports against this person'), apply: () => onFilter({ sender: id }) },
        { label: i18n.t('Reports by this person'), apply: () => onFilter({ reporter: id }) },
      ]}
    />
  );
}

export function RoomChip({ kind, id, name = null }: Props) {
  const { onFilter } = useContext(ReportWays);
  return (
    <IdentityChip
      kind={kind}
      id={id}
      name={name}
      filters={[{ label: i18n.t('Reports from this room'), apply: () => onFilter({ room: id }) }]}
    />
  );
}
