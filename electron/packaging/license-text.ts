/** License texts that must be distributed with a package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../launch/build.ts';
import { licenceFile, lockedPackages } from './node-packages.ts';

/**
 * Returns the license files of a package, or else the license section of its readme, or else the standard text with the
 * author.
 *
 * @throws Error if a package has none of these
 */
export function licenceText({ name, version }: { name: string; version: string }): string {
  const folder = join(projectRoot, installedAt(name, version));
  const read = (file: string) => readFileSync(join(folder, file), 'utf8').trim();
  const files = readdirSync(folder);
  const own = files.filter((file) => licenceFile.test(file)).map(read);
  if (own.length > 0) return own.join('\n\n');
  for (const readme of files.filter((file) => /^readme/i.test(file)).map(read)) {
    const [part] = /^#+\s*licen[cs]e[\s\S]*copyright[\s\S]*/im.exec(readme) ?? [];
    if (part) return part.slice(part.indexOf('\n')).trim();
  }
  const { license, author } = JSON.parse(read('package.json'));
  const holder = typeof author === 'string' ? author : author?.name;
  if (license !== 'MIT' || !holder) throw new Error(`${name} ${version} has no license text`);
  return `Copyright (c) ${holder}\n\n${mit}`;
}

function installedAt(name: string, version: string): string {
  const found = Object.entries(lockedPackages()).find(
    ([path, locked]) => path.endsWith(`node_modules/${name}`) && locked.version === version,
  );
  if (!found) throw new Error(`${name} ${version} is included but missing from package-lock.json`);
  return found[0];
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
