import type { ReactNode } from 'react';

export type Column<Row> = {
  id: string;
  /** In the person's language. */
  name: string;
  /** What one has to know of it, beside its name. */
  note?: string;
  /** In pixels, until someone changes it. */
  width: number;
  /** In pixels, where there is room for all that its cells can say. */
  roomy?: number;
  /** Not shown until someone asks for it, or there is room for it. */
  seldom?: boolean;
  /** What the server orders by; without it, it can't. */
  order?: string;
  /** Whether the greatest come first, where it is ordered by for the first time. */
  descending?: boolean;
  /** The first column's cell holds the row's link, or its button. */
  cell: (row: Row) => ReactNode;
};

export type Sort = { order: string; dir: 'f' | 'b' };
