import { i18n } from '@lingui/core';
import { Progress } from '@mantine/core';
import type { RunningUpdate } from '../../api/background-updates.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { number } from '../../words/format.ts';
import classes from './BackgroundUpdates.module.css';

type Props = { database: string; update: RunningUpdate; isPaused: boolean };

/** How far an update is, as far as the server tells: never how much there is in all. */
export function UpdateProgress({ database, update, isPaused }: Props) {
  const { name } = update;
  const items = update.total_item_count ?? 0;
  const duration = update.total_duration_ms ?? 0;
  const perSecond = update.average_items_per_ms ? update.average_items_per_ms * 1000 : undefined;
  return (
    <article className={classes.update} aria-label={name}>
      <h3 className={classes.name}>
        <HazardText text={name} />
        {database !== 'master' && (
          <span className={classes.dim}> {i18n.t('in database {database}', { database })}</span>
        )}
      </h3>
      <Progress
        size="sm"
        value={100}
        striped={!isPaused}
        animated={!isPaused}
        color={isPaused ? 'gray' : 'iris'}
        aria-label={i18n.t('Running')}
      />
      <p className={classes.dim}>
        {items === 0
          ? i18n.t('Just started')
          : i18n.t('{items} done in {seconds} s', {
              count: items,
              items: number(items),
              seconds: number(Math.round(duration / 1000)),
            })}
        {items > 0 && perSecond !== undefined && (
          <> · {i18n.t('about {rate} per second', { rate: number(Math.round(perSecond)) })}</>
        )}
        {' · '}
        {i18n.t('total unknown')}
      </p>
    </article>
  );
}
