import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../shared/api/common.ts';
import { clipped } from '../../words/beginning.ts';
import { Disclosure } from '../Disclosure.tsx';
import { Folded } from '../Folded.tsx';
import { HazardText } from '../HazardText.tsx';
import classes from './ContentChanges.module.css';
import { contentChanges } from './content-changes.ts';

type Props = {
  before: JsonObject | undefined;
  after: JsonObject;
  /** Shown on request where there are more than a few. */
  closed?: boolean;
};

const few = 3;

/** What of a content changed, value by value; all of it where it isn't known what was before. */
export function ContentChanges({ before, after, closed = false }: Props) {
  const { changes, isCut } = contentChanges(before ?? {}, after);
  if (changes.length === 0) return null;
  const size = i18n.t('{count, plural, one {# value} other {# values}}', { count: changes.length });
  const list = (
    <ul className={classes.list}>
      {changes.map(({ path, before: old, after: now }) => (
        <li key={path.join('\n')}>
          <span className={classes.path}>
            <HazardText text={clipped(path.join(' › '), 200)} />
          </span>{' '}
          {old !== undefined && (
            <del className={classes.old}>
              <HazardText text={old} />
            </del>
          )}
          {old !== undefined && now !== undefined && ' → '}
          {now !== undefined && (
            <span className={classes.now}>
              <HazardText text={now} />
            </span>
          )}
          {before !== undefined && now === undefined && <span> {i18n.t('(removed)')}</span>}
        </li>
      ))}
      {isCut && <li>{i18n.t('… and more in the source')}</li>}
    </ul>
  );
  if (closed && changes.length > few) return <Disclosure label={size}>{list}</Disclosure>;
  return <Folded size={size}>{list}</Folded>;
}
