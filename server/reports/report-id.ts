import { invalidParameter } from '../core/matrix-error.ts';

/** The number of a report that a path names. @throws MatrixError 400 `M_INVALID_PARAM` */
export function reportId(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw invalidParameter('The report_id parameter must be a string representing a positive integer.');
  }
  // Larger than any identifier is "not found", and stays exact on its way there.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
