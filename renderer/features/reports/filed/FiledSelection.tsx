import type { ComponentProps } from 'react';
import { ActionBar } from '../../../actions/ActionBar.tsx';
import type { FiledKind, FiledReport } from '../../../api/filed-reports.ts';
import { SelectionBar } from '../desk/SelectionBar.tsx';
import { actedOnFiled } from './acted-on-filed.ts';

type Props = Omit<ComponentProps<typeof SelectionBar>, 'children'> & {
  kind: FiledKind;
  reports: readonly FiledReport[];
  onActed: (how: { reviewed: boolean }) => void;
};

/** What can be done with the reports that are selected, and with whom or what they are about. */
export function FiledSelection({ kind, reports, onActed, ...props }: Props) {
  return (
    <SelectionBar {...props}>
      <ActionBar on={actedOnFiled(kind, reports)} onActed={onActed} />
    </SelectionBar>
  );
}
