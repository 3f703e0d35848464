import { readJson } from '../../../../shared/read-json.ts';

/** The JSON object or list that a body is, or undefined where it is none. */
export function parsedBody(body: string): object | undefined {
  try {
    const value: unknown = readJson(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
