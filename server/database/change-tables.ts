export type ChangeTables = {
  /** On SQLite alone: the number of the last change (`database/changes.ts`), in the only row. */
  change_place: { place: number };
};
