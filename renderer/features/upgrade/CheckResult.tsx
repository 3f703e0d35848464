import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button } from '@mantine/core';
import { formatVersion } from '../../../shared/upgrade/version.ts';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { failureSentence } from '../../transport/refusal.ts';
import classes from './CheckResult.module.css';
import type { ServerCheck } from './use-server-check.ts';
import type { PlanModel } from './use-upgrade-plan.ts';

/** Renders the last check's result, if it affects the plan. */
export function CheckResult({ model, check }: { model: PlanModel; check: ServerCheck }) {
  const { running, replan, from, sections } = model;
  const { error, outcome } = check;
  if (error) {
    return (
      <div className={classes.line} data-tone="failed">
        <span role="alert" className={classes.said}>
          {i18n.t('Check failed. {why}', { why: failureSentence(error) })}
        </span>
        <Button variant="subtle" size="compact-xs" onClick={check.run}>
          {i18n.t('Check again')}
        </Button>
      </div>
    );
  }
  const hint =
    running &&
    replan &&
    sections.length > 0 &&
    i18n.t('The plan starts at v{from}; the server runs v{running}. Check now to advance.', {
      from: from?.text,
      running: formatVersion(running),
    });
  if (!outcome && !hint) return null;
  return (
    <div className={classes.line} data-tone={outcome?.tone ?? 'hint'}>
      <output className={classes.said} aria-label={i18n.t('Check')}>
        {outcome?.text ?? hint}
      </output>
      {outcome && (
        <span className={classes.when}>
          <Trans id="checked <0/>" components={{ 0: <RelativeTime timestamp={check.checkedAt} long /> }} />
        </span>
      )}
      {running && replan && (
        <Button variant="subtle" size="compact-xs" onClick={replan}>
          {i18n.t('Replan from v{running}', { running: formatVersion(running) })}
        </Button>
      )}
    </div>
  );
}
