import { i18n } from '@lingui/core';
import type { AppliedConfiguration } from '../../../../shared/workbench/host.ts';
import classes from './Configuration.module.css';

/** What came of a configuration that was applied. */
export function Outcome({ applied: { outcome, problems, message } }: { applied: AppliedConfiguration }) {
  if (outcome === 'applied') {
    return (
      <p className={classes.note} data-tone="good" role="status">
        {i18n.t('Applied')}
      </p>
    );
  }
  const why = message ?? problems.map(({ sentence }) => sentence).join(' ');
  return (
    <p className={classes.note} data-tone="bad" role="alert">
      {outcome === 'went_back'
        ? i18n.t("Couldn't start; keeping the previous configuration: {why}", { why })
        : i18n.t('Not applied: {why}', { why })}
    </p>
  );
}
