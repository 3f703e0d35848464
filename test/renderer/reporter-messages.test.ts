import { expect, test } from 'vitest';
import type { ActedReport } from '../../renderer/actions/panel/acted-reports.ts';
import { namedIn, recipientsOf, reporterTemplates } from '../../renderer/actions/reporter-messages.ts';
import type { Body, LogEntry } from '../../shared/team/entries.ts';

const report = (id: number, by: string, of: ActedReport['of'] = 'report'): ActedReport => ({ of, id, by });
const sent = (userId: string, reports: number[], more: object = {}): LogEntry => ({
  id: `$${userId}${reports.join()}`,
  by: '@mod:h',
  at: 1,
  body: {
    type: 'action',
    action: 'message-reporter',
    subject: { kind: 'user', userId },
    reports,
    outcome: 'done',
    ...more,
  } as Body,
});
const isReachable = (userId: string) => userId !== '@mod:h' && userId.endsWith(':h');

test('a reporter gets one message per case, for any decided report', () => {
  const ofCase = [
    report(1, '@ada:h'),
    report(2, '@ada:h', 'user_report'),
    report(3, '@ben:h'),
    report(4, '@mod:h'),
    report(5, '@eve:elsewhere'),
    report(6, '@ada:h'),
  ];
  expect(recipientsOf(ofCase, ofCase, [], isReachable)).toEqual({
    recipients: [
      { userId: '@ada:h', of: 'report', reports: [1, 6] },
      { userId: '@ben:h', of: 'report', reports: [3] },
    ],
    informed: 0,
  });
  const log = [
    sent('@ada:h', [2], { of: 'user_report' }),
    sent('@ben:h', [3], { outcome: 'failed' }),
    // Other reports: of another kind, and in another case.
    sent('@ben:h', [3], { of: 'room_report' }),
    sent('@ben:h', [99]),
  ];
  expect(recipientsOf([report(6, '@ada:h'), report(3, '@ben:h')], ofCase, log, isReachable)).toEqual({
    recipients: [{ userId: '@ben:h', of: 'report', reports: [3] }],
    informed: 1,
  });
});

test("a message doesn't name the moderator or the reported user", () => {
  const users = ['@mod:h', '@mallory:h'];
  expect(namedIn('Thanks, @Mallory:h is gone', users)).toBe('@mallory:h');
  expect(namedIn('Ask @moderation, or @mod.', users)).toBe('@mod:h');
  expect(namedIn('Ask @moderation or @mod.two or @mallory2:h', users)).toBeUndefined();
});

test("the team's texts replace the built-in ones in their language", () => {
  const documents = new Map([['upheld', { content: { templates: { de: 'Danke!' } }, by: '@mod:h', at: 1 }]]);
  const templates = reporterTemplates(documents, 'upheld');
  expect(templates.de).toBe('Danke!');
  expect(templates.en).toContain('took action');
  expect(reporterTemplates(documents, 'decided').de).not.toBe('Danke!');
});
