import { i18n } from '@lingui/core';
import { useNavigate } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { IdentityChip } from '../components/Identity.tsx';
import { useNameInView } from '../team/account-names.ts';
import classes from './subjects.module.css';

/** A report filter: by sender, reporter or room. */
export type ReportFilter = { sender?: string; reporter?: string; room?: string };

/** Set by report screens to filter in place; elsewhere, chips navigate to that screen. */
export const ReportFilterContext = createContext<((about: ReportFilter) => void) | undefined>(undefined);

export function useFilterReports(): (about: ReportFilter) => void {
  const here = useContext(ReportFilterContext);
  const navigate = useNavigate();
  return here ?? ((about) => navigate({ to: '/reports', search: { ...about } }));
}

type Props = {
  kind: string;
  id: string;
  name?: string | null | undefined;
  quiet?: boolean;
  large?: boolean;
  oneLine?: boolean;
};

/** Renders a user ID with a menu: copy, open, filter reports. */
export function UserChip({ kind, id, name = null, quiet = false, large = false, oneLine = false }: Props) {
  const filter = useFilterReports();
  const navigate = useNavigate();
  const open = () => navigate({ to: '/users/$userId', params: { userId: id } });
  return (
    <IdentityChip
      kind={kind}
      id={id}
      name={name}
      quiet={quiet}
      large={large}
      oneLine={oneLine}
      open={{ label: i18n.t('Open user'), apply: open }}
      filters={[
        { label: i18n.t('Reports against this user'), apply: () => filter({ sender: id }) },
        { label: i18n.t('Reports by this user'), apply: () => filter({ reporter: id }) },
      ]}
    />
  );
}

/** As `UserChip`: loads the name of a local user once the chip has been visible for a moment. */
export function LoadedUserChip(props: Omit<Props, 'name'>) {
  const [ref, name] = useNameInView(props.id);
  return (
    <span ref={ref} className={classes.loadedChip}>
      <UserChip {...props} name={name} />
    </span>
  );
}

export function RoomChip({ kind, id, name = null, large = false, oneLine = false }: Props) {
  const filter = useFilterReports();
  const navigate = useNavigate();
  const open = () => navigate({ to: '/rooms/$roomId', params: { roomId: id } });
  return (
    <IdentityChip
      kind={kind}
      id={id}
      name={name}
      large={large}
      oneLine={oneLine}
      open={{ label: i18n.t('Open room'), apply: open }}
      filters={[{ label: i18n.t('Reports from this room'), apply: () => filter({ room: id }) }]}
    />
  );
}
