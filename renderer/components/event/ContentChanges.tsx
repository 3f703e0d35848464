import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../shared/api/common.ts';
import { clipped } from '../../words/beginning.ts';
import { Disclosure } from '../Disclosure.tsx';
import { Folded } from '../FoldedText.tsx';
import { HazardText } from '../HazardText.tsx';
import classes from './ContentChanges.module.css';

// What changed between two contents, as a flat list: walked without recursion and bounded, since both are hostile.

type Change = {
  /** The way to the value, by names and indexes. */
  path: string[];
  /** As JSON; undefined where there was none. */
  before: string | undefined;
  after: string | undefined;
};

const mostChanges = 100;
const mostLeaves = 5_000;
const longestValue = 300;

/** The changes, and whether there are more than are listed. */
function contentChanges(before: JsonObject, after: JsonObject): { changes: Change[]; isCut: boolean } {
  const [old, now] = [leaves(before), leaves(after)];
  const changes: Change[] = [];
  for (const [key, { path, value }] of now.found) {
    const previous = old.found.get(key)?.value;
    if (previous !== value) changes.push({ path, before: previous, after: value });
  }
  for (const [key, { path, value }] of old.found) {
    if (!now.found.has(key)) changes.push({ path, before: value, after: undefined });
  }
  return {
    changes: changes.slice(0, mostChanges),
    isCut: changes.length > mostChanges || old.isCut || now.isCut,
  };
}

type Leaf = { path: string[]; value: string };

function leaves(root: JsonObject): { found: Map<string, Leaf>; isCut: boolean } {
  const found = new Map<string, Leaf>();
  const stack: { path: string[]; value: unknown }[] = [{ path: [], value: root }];
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { path, value } = at;
    if (found.size >= mostLeaves || path.length > 20) return { found, isCut: true };
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (members.length === 0) {
      if (path.length > 0) found.set(JSON.stringify(path), { path, value: valueText(value) });
      continue;
    }
    for (const [name, member] of members.slice(0, mostLeaves).reverse()) {
      stack.push({ path: [...path, name], value: member });
    }
  }
  return { found, isCut: false };
}

/** A leaf as it is read: text as it is, anything else as JSON. */
function valueText(value: unknown): string {
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  return clipped(whole, longestValue);
}

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
