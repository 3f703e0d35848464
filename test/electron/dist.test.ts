/** Targets that `npm run dist` can't build, and its error messages. */
import { generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { kindsIn, packing } from './packing.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-dist-'));
const { tools, pack } = packing(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.skipIf(process.platform !== 'linux')(
  'a format without its tools is named, the others are built, and a release fails',
  () => {
    const output = join(root, 'out-of-reach');
    mkdirSync(output);
    const another = join(output, `latest-linux-${process.arch === 'arm64' ? 'x64' : 'arm64'}.yml`);
    writeFileSync(another, 'of another processor');
    const dist = pack(output, { CUSTOM_FPM_PATH: tools.CUSTOM_FPM_PATH }, '--all');
    const told = dist.stdout + dist.stderr;
    expect(dist.status, told).toBe(1);
    expect(told.match(/^Not built: .*?\)/gm), told).toEqual([
      `Not built: AppImage (${process.arch})`,
      `Not built: tar.gz (${process.arch})`,
    ]);
    expect(told).not.toContain('    at ');
    expect(kindsIn(output)).toEqual(['deb', 'deb.desktop', 'deb.told']);
    // Without an AppImage, no installation could use an update feed.
    expect(globSync('latest*.yml', { cwd: output })).toEqual([basename(another)]);
  },
  300_000,
);

const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

test.each([
  ['a feed that is not secure', { GATEHOUSE_UPDATE_FEED: 'http://updates.example/' }, 'not an https URL'],
  ['no key', { GATEHOUSE_UPDATE_KEY: undefined }, 'an Ed25519 private key'],
  ['a key of another kind', { GATEHOUSE_UPDATE_KEY: rsa.privateKey }, 'an Ed25519 private key'],
  ['the tag of another version', { GATEHOUSE_RELEASE_TAG: 'v99.0.0' }, "v99.0.0 doesn't match version"],
  ['an invalid key', { GATEHOUSE_UPDATE_KEY: 'c2VjcmV0' }, 'an Ed25519 private key'],
])('no packages are built with %s', (_, environment, why) => {
  const { status, stderr } = pack(join(root, 'refused'), environment);
  expect(status).toBe(1);
  expect(stderr).toContain(why);
  expect(stderr).not.toContain('c2VjcmV0');
  expect(existsSync(join(root, 'refused'))).toBe(false);
});

test("a pre-release version isn't offered as an update", () => {
  const project = join(root, 'project');
  mkdirSync(project);
  cpSync(join(projectRoot, 'electron'), join(project, 'electron'), { recursive: true });
  for (const name of ['node_modules', 'server', 'shared', 'electron-builder.yml'])
    symlinkSync(join(projectRoot, name), join(project, name));
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ ...manifest, version: '1.0.0-beta.1' }));
  const { status, stderr } = pack(join(root, 'refused'), { PROJECT: project });
  expect(status).toBe(1);
  expect(stderr).toContain("1.0.0-beta.1 isn't a release version such as 1.2.0");
});
