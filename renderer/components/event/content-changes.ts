/** What changed between two contents, as a flat list: walked without recursion and bounded, since both are hostile. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { clipped } from '../../words/beginning.ts';

export type Change = {
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
export function contentChanges(before: JsonObject, after: JsonObject): { changes: Change[]; isCut: boolean } {
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
