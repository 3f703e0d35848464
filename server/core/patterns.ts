/** Regular expressions that an operator wrote, on names that anyone may choose. */
import { createContext, Script } from 'node:vm';

/** How long one match may take, in milliseconds; an ordinary one takes microseconds. */
const timeLimit = 50;

const script = new Script('pattern.test(text)');

/**
 * A function that says whether a text is, as a whole, what the pattern describes. There are patterns on
 * which some texts take years: then it stops early, and doesn't know.
 *
 * @throws SyntaxError for what is not a regular expression
 */
export function matchesWhole(pattern: string): (text: string) => 'yes' | 'no' | 'unknown' {
  const variables = createContext({ pattern: new RegExp(`^(?:${pattern})$`), text: '' });
  return (text) => {
    variables.text = text;
    try {
      return script.runInContext(variables, { timeout: timeLimit }) ? 'yes' : 'no';
    } catch {
      return 'unknown';
    }
  };
}
