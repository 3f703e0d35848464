/** So many rows can be scrolled through: browsers draw nothing that is taller. */
export const mostRows = 950_000;
