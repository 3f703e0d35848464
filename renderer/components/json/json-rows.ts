/**
 * A JSON value as a tree with lazy nodes. Nothing here recurses, and a node holds its parent instead of its path:
 * hostile events nest deeper than any call stack.
 */

export type JsonNode = {
  /** Unique in the tree. */
  id: number;
  parent: JsonNode | undefined;
  /** A member's name or index; undefined for the root. */
  name: string | number | undefined;
  value: unknown;
  depth: number;
  /** Number of members of an object or array; undefined for anything else. */
  members: number | undefined;
  children: JsonNode[] | undefined;
};

export type JsonTree = { root: JsonNode; childrenOf: (node: JsonNode) => JsonNode[] };

export function jsonTree(value: unknown): JsonTree {
  let ids = 0;
  const node = (parent: JsonNode | undefined, name: JsonNode['name'], value: unknown): JsonNode => ({
    id: ids++,
    parent,
    name,
    value,
    depth: parent ? parent.depth + 1 : 0,
    members: membersOf(value)?.length,
    children: undefined,
  });
  return {
    root: node(undefined, undefined, value),
    childrenOf(parent) {
      parent.children ??= (membersOf(parent.value) ?? []).map(([name, member]) => node(parent, name, member));
      return parent.children;
    },
  };
}

/** Yields the nodes in order, with those below a node only if `enter` returns true. */
function* walk({ root, childrenOf }: JsonTree, enter: (node: JsonNode) => boolean): Generator<JsonNode> {
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    if (node.members && enter(node)) stack.push(...childrenOf(node).toReversed());
  }
}

/** Returns the visible rows for a set of open nodes. */
export const jsonRows = (tree: JsonTree, open: ReadonlySet<JsonNode>): JsonNode[] => [
  ...walk(tree, (node) => open.has(node)),
];

/** Opens two levels, but no long lists. */
export function initiallyOpen({ root, childrenOf }: JsonTree): Set<JsonNode> {
  return new Set([root, ...childrenOf(root).filter(({ members }) => members !== undefined && members <= 12)]);
}

const maxMatches = 1000;

/** Returns the nodes whose name or value contains the text, up to a limit. */
export function jsonMatches(tree: JsonTree, text: string): JsonNode[] {
  const query = text.toLowerCase();
  const matchesQuery = (part: unknown) => String(part).toLowerCase().includes(query);
  const matches: JsonNode[] = [];
  for (const node of walk(tree, () => true)) {
    if (node.name === undefined) continue;
    if (matchesQuery(node.name) || (node.members === undefined && matchesQuery(node.value)))
      matches.push(node);
    if (matches.length === maxMatches) break;
  }
  return matches;
}

/** Returns the open nodes plus the node's ancestors, so that it is visible. */
export function openAncestors(node: JsonNode, open: ReadonlySet<JsonNode>): Set<JsonNode> {
  const opened = new Set(open);
  for (let above = node.parent; above; above = above.parent) opened.add(above);
  return opened;
}

/** Returns the node's path as in code: `content["m.relates_to"].event_id`. */
export function pathText(node: JsonNode): string {
  const parts: string[] = [];
  for (let at: JsonNode | undefined = node; at?.name !== undefined; at = at.parent) {
    if (typeof at.name === 'number') parts.push(`[${at.name}]`);
    else if (!/^[A-Za-z_$][\w$]*$/.test(at.name)) parts.push(`[${JSON.stringify(at.name)}]`);
    else parts.push(at.depth === 1 ? at.name : `.${at.name}`);
  }
  return parts.reverse().join('');
}

function membersOf(value: unknown): [string | number, unknown][] | undefined {
  if (Array.isArray(value)) return value.map((member, index) => [index, member]);
  if (typeof value === 'object' && value !== null) return Object.entries(value);
  return undefined;
}

/** Returns the value as JSON text; without recursion, unlike `JSON.stringify`. */
export function jsonText(root: unknown): string {
  const parts: string[] = [];
  type Step = { value: unknown; indent: number; before: string } | { text: string };
  const stack: Step[] = [{ value: root, indent: 0, before: '' }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    if ('text' in step) {
      parts.push(step.text);
      continue;
    }
    const { value, indent, before } = step;
    const entries = membersOf(value);
    const [opening, closing] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    if (entries === undefined) {
      parts.push(before, JSON.stringify(value));
    } else if (entries.length === 0) {
      parts.push(before, opening, closing);
    } else {
      parts.push(before, opening, '\n');
      stack.push({ text: `${' '.repeat(Math.min(indent, deepestIndent))}${closing}` });
      for (const [index, [name, member]] of [...entries.entries()].reverse()) {
        stack.push({ text: index === entries.length - 1 ? '\n' : ',\n' });
        const label = typeof name === 'string' ? `${JSON.stringify(name)}: ` : '';
        stack.push({
          value: member,
          indent: indent + 2,
          before: ' '.repeat(Math.min(indent + 2, deepestIndent)) + label,
        });
      }
    }
  }
  return parts.join('');
}

/** Indenting ten thousand levels would turn kilobytes of brackets into megabytes. */
const deepestIndent = 200;
