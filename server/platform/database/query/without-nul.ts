import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type ValueNode,
} from 'kysely';

/** PostgreSQL can't store NUL in text. Clients may send it, so it's stored as the replacement character. */
export const replaceNul = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}') : value;

class NulReplacer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: replaceNul(node.value) };
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(replaceNul) };
  }
}

const replacer = new NulReplacer();

export const withoutNul: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => replacer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};
