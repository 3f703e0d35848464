import { Button } from '@mantine/core';
import { formatVersion } from '../../../shared/upgrade/version.ts';
import { failureSentence } from '../../components/FailureMessage.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import classes from './CheckLine.module.css';
import type { ServerCheck } from './use-server-check.ts';
import type { PlanModel } from './use-upgrade-plan.ts';

/** What the last look at the server says about the plan; nothing while there is nothing to say. */
export function CheckLine({ model, check }: { model: PlanModel; check: ServerCheck }) {
  const { running, startAnew, from, sections } = model;
  const { error, outcome } = check;
  if (error) {
    return (
      <div className={classes.line} data-tone="failed">
        <span role="alert" className={classes.said}>
          The check failed. {failureSentence(error)}
        </span>
        <Button variant="subtle" size="compact-xs" onClick={check.run}>
          Check again
        </Button>
      </div>
    );
  }
  const hint =
    running &&
    startAnew &&
    sections.length > 0 &&
    `This plan begins with v${from?.text}, and the server runs v${formatVersion(running)}. Check now to move the plan on.`;
  if (!outcome && !hint) return null;
  return (
    <div className={classes.line} data-tone={outcome?.tone ?? 'hint'}>
      <output className={classes.said} aria-label="Check">
        {outcome?.text ?? hint}
      </output>
      {outcome && (
        <span className={classes.when}>
          checked <RelativeTime timestamp={check.checkedAt} />
        </span>
      )}
      {running && startAnew && (
        <Button variant="subtle" size="compact-xs" onClick={startAnew}>
          Plan anew from v{formatVersion(running)}
        </Button>
      )}
    </div>
  );
}
