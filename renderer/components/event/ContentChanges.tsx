import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../shared/api/common.ts';
import { ellipsize } from '../../words/clip.ts';
import { Disclosure } from '../Disclosure.tsx';
import { Folded } from '../FoldedText.tsx';
import { HazardText } from '../HazardText.tsx';
import classes from './ContentChanges.module.css';

// Diffs two contents into a flat list: without recursion and bounded, because both are hostile.

type Change = {
  /** Names and indexes. */
  path: string[];
  /** As JSON; undefined if absent. */
  before: string | undefined;
  after: string | undefined;
};

const maxChanges = 100;
const maxLeaves = 5_000;
const maxValueLength = 300;

/** `isCut`: there are more changes than listed. */
function contentChanges(before: JsonObject, after: JsonObject): { changes: Change[]; isCut: boolean } {
  const [old, now] = [leaves(before), leaves(after)];
  const changes: Change[] = [];
  for (const [key, { path, value }] of now.leavesByPath) {
    const previous = old.leavesByPath.get(key)?.value;
    if (previous !== value) changes.push({ path, before: previous, after: value });
  }
  for (const [key, { path, value }] of old.leavesByPath) {
    if (!now.leavesByPath.has(key)) changes.push({ path, before: value, after: undefined });
  }
  return {
    changes: changes.slice(0, maxChanges),
    isCut: changes.length > maxChanges || old.isCut || now.isCut,
  };
}

type Leaf = { path: string[]; value: string };

function leaves(root: JsonObject): { leavesByPath: Map<string, Leaf>; isCut: boolean } {
  const leavesByPath = new Map<string, Leaf>();
  const stack: { path: string[]; value: unknown }[] = [{ path: [], value: root }];
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { path, value } = at;
    if (leavesByPath.size >= maxLeaves || path.length > 20) return { leavesByPath, isCut: true };
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (members.length === 0) {
      if (path.length > 0) leavesByPath.set(JSON.stringify(path), { path, value: valueText(value) });
      continue;
    }
    for (const [name, member] of members.slice(0, maxLeaves).reverse()) {
      stack.push({ path: [...path, name], value: member });
    }
  }
  return { leavesByPath, isCut: false };
}

/** Strings as they are, other values as JSON. */
function valueText(value: unknown): string {
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  return ellipsize(whole, maxValueLength);
}

type Props = {
  before: JsonObject | undefined;
  after: JsonObject;
  /** Folds more than a few changes. */
  closed?: boolean;
};

const maxUnfolded = 3;

/** Lists the changed values; all of them if the old content is unknown. */
export function ContentChanges({ before, after, closed = false }: Props) {
  const { changes, isCut } = contentChanges(before ?? {}, after);
  if (changes.length === 0) return null;
  const size = i18n.t('{count, plural, one {# value} other {# values}}', { count: changes.length });
  const list = (
    <ul className={classes.list}>
      {changes.map(({ path, before: old, after: now }) => (
        <li key={path.join('\n')}>
          <span className={classes.path}>
            <HazardText text={ellipsize(path.join(' › '), 200)} />
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
  if (closed && changes.length > maxUnfolded) return <Disclosure label={size}>{list}</Disclosure>;
  return <Folded size={size}>{list}</Folded>;
}
