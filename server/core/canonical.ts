import { CanonicalJsonError, canonicalJson } from '../../shared/canonical-json.ts';
import { badJson } from './matrix-error.ts';

/** What a client sent as canonical JSON. @throws MatrixError 400 `M_BAD_JSON` for what has no such form, as a fraction */
export function requireCanonical(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof CanonicalJsonError) throw badJson(error.message);
    throw error;
  }
}
