import { i18n } from '@lingui/core';
import { NativeSelect } from '@mantine/core';
import type { CaseScope, caseScopes } from './acted-reports.ts';

type Props = {
  scopes: ReturnType<typeof caseScopes>;
  /** None: the reports stay open. */
  scope: CaseScope | undefined;
  onScope: (scope: CaseScope | undefined) => void;
};

/** Which reports of the case an action resolves. */
export const CaseReportsField = ({ scopes, scope: chosen, onScope }: Props) => (
  <NativeSelect
    size="xs"
    label={i18n.t('Resolve')}
    data={[
      ...scopes.map(({ scope, reports }) => ({ value: scope, label: nameOf(scope, reports.length) })),
      { value: '', label: i18n.t('No reports') },
    ]}
    value={chosen ?? ''}
    onChange={({ currentTarget: { value } }) => onScope(scopes.find(({ scope }) => scope === value)?.scope)}
  />
);

const nameOf = (scope: CaseScope, count: number) =>
  scope === 'case'
    ? i18n.t('All {count} open reports of the case', { count })
    : i18n.t('{count, plural, one {Only this report} other {Only the # reports on this message}}', { count });
