/** Class names of CSS modules: TypeScript doesn't know them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');

test('every class that a component uses is in its style sheet', () => {
  const missing: string[] = [];
  for (const file of globSync('renderer/**/*.tsx')) {
    const code = read(file);
    const body = code.replaceAll(/^import .*$/gm, '');
    for (const [, name, sheet = ''] of code.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)) {
      const css = read(join(dirname(file), sheet));
      for (const [used, className] of body.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g')))
        if (!new RegExp(`\\.${className}\\b`).test(css)) missing.push(`${file}: ${used}`);
    }
  }
  expect(missing).toEqual([]);
});
