import { i18n } from '@lingui/core';
import { NativeSelect } from '@mantine/core';
import { useContext, useMemo, useState } from 'react';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import { useServer } from '../../console-context.ts';
import { type Action, type Field, markReviewed, reviewsByActing } from '../action.ts';
import { type Item, userOf } from '../items.ts';
import {
  ActedReportsContext,
  type CaseScope,
  caseScopes,
  ownReports,
  withCaseReports,
} from './acted-reports.ts';
import { areFurtherIncluded, keepChosen } from './answers.ts';
import { ReportsOnIt } from './FurtherReports.tsx';
import { loadingFurther, noFurther, withFurther } from './further-reports.ts';
import { useReporterMessage } from './use-reporter-message.ts';

type Options = {
  action: Action;
  items: readonly Item[];
  fields: Answers['fields'];
  onField: (name: string, value: boolean) => void;
  /** Called when the search for other reports stops: an earlier confirmation didn't include them. */
  onHalt: () => void;
};

/** The reports that a panel's action resolves: those of its items, of the case, and others on the items. */
export function useResolvedReports({ action, items, fields, onField, onHalt }: Options) {
  const server = useServer();
  const acted = useContext(ActedReportsContext);
  const reported = new Set(items.flatMap(({ reports }) => reports ?? [])).size;
  const isResolving = reported > 0 && fields[markReviewed] === true;

  const scopes = useMemo(() => caseScopes(acted, items), [acted, items]);
  const [chosenScope, setChosenScope] = useState<CaseScope>();
  const scope = scopes.find((each) => each.scope === chosenScope) ?? scopes[0];
  const [furtherAtFirst] = useState(() =>
    !scope && areFurtherIncluded(server, action) ? loadingFurther : noFurther,
  );
  const [further, setFurther] = useState(furtherAtFirst);

  const decided = useMemo(
    () => (isResolving ? (scope?.reports ?? ownReports(acted, items)) : []),
    [isResolving, scope, acted, items],
  );
  const message = useReporterMessage({
    reports: decided,
    ofCase: acted?.ofCase ?? decided,
    outcome: 'upheld',
    subjects: items.flatMap((item) => (item.kind === 'event' ? item.sender : userOf(item)) ?? []),
  });

  return {
    isLoading: scope === undefined && further.isLooking,
    isAny: isResolving || further.open.size > 0 || further.isLooking,
    /** Resolves all reports in view. */
    resolvesAll: isResolving && scope?.scope !== 'message',
    /** The message to the reporters. */
    message,
    /** The reports in view. */
    inView: acted?.ofCase ?? acted?.reports ?? [],
    /** The items with the reports that are resolved with them. */
    items: scope ? withCaseReports(items, isResolving ? scope.reports : []) : withFurther(items, further),
    /** Stores the choices for the next time. */
    keep(shown: readonly Field[]) {
      if (action.steps) keepChosen(server, action, fields, shown, scope ? undefined : further.isIncluded);
      if (reported > 0) reviewsByActing(server).write(fields[markReviewed] === true);
    },
    field: scope ? (
      <CaseReportsField
        scopes={scopes}
        scope={isResolving ? scope.scope : undefined}
        onScope={(next) => {
          onField(markReviewed, next !== undefined);
          if (next) setChosenScope(next);
        }}
      />
    ) : (
      <ReportsOnIt
        action={action}
        items={items}
        reported={reported}
        isReviewed={fields[markReviewed] === true}
        onReview={(isReviewed) => onField(markReviewed, isReviewed)}
        includesFurther={furtherAtFirst.isIncluded}
        onFurther={setFurther}
        onHalt={onHalt}
      />
    ),
  };
}

type CaseReportsFieldProps = {
  scopes: ReturnType<typeof caseScopes>;
  /** None: the reports stay open. */
  scope: CaseScope | undefined;
  onScope: (scope: CaseScope | undefined) => void;
};

/** The reports of the case that an action resolves. */
const CaseReportsField = ({ scopes, scope: chosen, onScope }: CaseReportsFieldProps) => (
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
