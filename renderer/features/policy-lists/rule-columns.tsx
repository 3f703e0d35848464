import { i18n } from '@lingui/core';
import {
  type PolicyRule,
  type Recommendation,
  type RuleKind,
  ruleKinds,
} from '../../api/policy-lists/policy-rules.ts';
import { ChoiceField } from '../../components/filters/FilterFields.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import type { Column } from '../../components/table/columns.tsx';
import { ellipsize } from '../../words/clip.ts';

export const kindNames: Readonly<Record<RuleKind, string>> = {
  user: /*i18n*/ 'Users',
  room: /*i18n*/ 'Rooms',
  server: /*i18n*/ 'Servers',
};

export const kindName: Readonly<Record<RuleKind, string>> = {
  user: /*i18n*/ 'User',
  room: /*i18n*/ 'Room',
  server: /*i18n*/ 'Server',
};

const recommendationNames: Readonly<Record<Recommendation, string>> = {
  ban: /*i18n*/ 'Ban',
  takedown: /*i18n*/ 'Takedown',
  allow: /*i18n*/ 'Allow',
  other: /*i18n*/ 'Unknown',
};

type KindFieldProps = { value: RuleKind | undefined; onChange: (kind: RuleKind | undefined) => void };

/** Filters by the kind of entity. */
export const KindField = ({ value, onChange }: KindFieldProps) => (
  <ChoiceField
    label={i18n.t('Subject')}
    value={value}
    none={i18n.t('All subjects')}
    choices={ruleKinds.map((kind) => ({ value: kind, label: i18n.t(kindNames[kind]) }))}
    onChange={onChange}
  />
);

export const recommendationColumn = <Row,>(ruleOf: (row: Row) => PolicyRule | undefined): Column<Row> => ({
  id: 'recommendation',
  name: i18n.t('Recommendation'),
  width: 120,
  value: (row) => ruleOf(row)?.recommendation,
  cell: (row) => {
    const rule = ruleOf(row);
    return rule && i18n.t(recommendationNames[rule.recommendation]);
  },
});

export const reasonColumn = <Row,>(ruleOf: (row: Row) => PolicyRule | undefined): Column<Row> => ({
  id: 'reason',
  name: i18n.t('Reason'),
  width: 220,
  value: (row) => ruleOf(row)?.reason,
  cell: (row) => {
    const reason = ruleOf(row)?.reason ?? '';
    return (
      <bdi title={reason}>
        <HazardText text={ellipsize(reason, 300)} />
      </bdi>
    );
  },
});
