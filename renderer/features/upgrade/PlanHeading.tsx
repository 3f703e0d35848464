import { Button, SegmentedControl } from '@mantine/core';
import { IconCheck, IconMarkdown, IconRefresh } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { count, planTitle } from '../../../shared/upgrade/summary.ts';
import classes from './PlanHeading.module.css';
import type { ServerCheck } from './use-server-check.ts';
import type { PlanModel } from './use-upgrade-plan.ts';
import { VersionField } from './VersionField.tsx';

type Props = {
  model: PlanModel;
  check: ServerCheck;
  clipboard: { copied: boolean; error: Error | null };
  onCopy: () => void;
  fromField: RefObject<HTMLInputElement | null>;
  toField: RefObject<HTMLInputElement | null>;
};

/** Which way the plan goes, how much of it is done, and what can be done with it as a whole. */
export function PlanHeading({ model, check, clipboard, onCopy, fromField, toField }: Props) {
  const { plan, sections, done, way, versionQuery } = model;
  const items = sections.flatMap((section) => section.items);
  const ticked = items.filter(({ id }) => done.has(id)).length;
  return (
    <>
      <div className={classes.heading}>
        <h1 className={classes.title}>Upgrade</h1>
        <output className={classes.summary} aria-label="Plan">
          {plan &&
            (plan.direction === 'upgrade'
              ? `${count(plan.direct.notes.length, 'note')}, ${count(plan.stops.length, 'stop')}`
              : planTitle(plan))}
        </output>
        {items.length > 0 && (
          <span className={classes.progress}>
            <progress value={ticked} max={items.length} aria-label="Progress" />
            {ticked} of {items.length} done
          </span>
        )}
        <span className={classes.gap} />
        <Button
          variant="default"
          className={classes.button}
          leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconMarkdown size={15} stroke={1.7} />}
          onClick={onCopy}
          disabled={items.length === 0}
        >
          <span role="status">
            {clipboard.copied ? 'Copied' : clipboard.error ? 'Copying is not allowed' : 'Copy as Markdown'}
          </span>
        </Button>
        <Button
          className={classes.button}
          leftSection={<IconRefresh size={14} stroke={1.7} />}
          onClick={check.run}
          loading={check.isRunning}
        >
          Check now
        </Button>
      </div>
      <search className={classes.way} aria-label="Versions">
        <VersionField
          label="From"
          side={model.from}
          origin={model.from || versionQuery.isPending ? 'the server' : 'type what runs'}
          isTyped={model.isFromTyped}
          inputRef={fromField}
          onChange={model.setFrom}
        />
        <VersionField
          label="To"
          side={model.to}
          origin={model.toOrigin}
          isTyped={model.isToTyped}
          inputRef={toField}
          onChange={model.setTo}
        />
        {way && (
          <SegmentedControl
            aria-label="Way"
            value={way}
            onChange={(value) => value !== way && model.toggleWay()}
            data={[
              { value: 'stops', label: 'Keep rollback possible' },
              { value: 'direct', label: 'Direct' },
            ]}
          />
        )}
      </search>
    </>
  );
}
