/** The versions that a plan starts from and leads to. */
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { requestedVersions } from '../../renderer/features/upgrade/requested-versions.ts';
import { newestRelease } from '../../shared/upgrade/changes/changes.ts';
import { formatVersion } from '../../shared/upgrade/version.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });
const newest = formatVersion(newestRelease);

test.each<[string, { from?: string; to?: string }, string | undefined, (string | undefined)[]]>([
  ['nothing is known yet', {}, undefined, [undefined, newest, 'newest known']],
  ['the server says its version', {}, '1.100.0', ['1.100.0', newest, 'newest known']],
  ['another start is entered', { from: '1.90' }, '1.100.0', ['1.90.0', newest, 'newest known']],
  ['a target is entered', { to: '1.101.0' }, '1.100.0', ['1.100.0', '1.101.0', 'newest known']],
  ['the server has the newest version', {}, newest, [newest, newest, 'newest known']],
  ['the server is newer than the data', {}, '9.0.0', ['9.0.0', '9.0.0', 'current version']],
  ['the start is no version', { from: 'soon' }, '1.100.0', ['soon', newest, 'newest known']],
])('if %s', (_, search, serverVersion, expected) => {
  const { from, to, toDefaultLabel } = requestedVersions(search, serverVersion);
  expect([from?.text, to.text, toDefaultLabel]).toEqual(expected);
  expect(from?.error !== undefined).toBe(from?.text === 'soon');
});
