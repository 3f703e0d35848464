import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLog, type LogConfig } from '../../../server/platform/core/log.ts';
import { manualClock } from '../../manual-clock.ts';

function logged(config: LogConfig, say: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  say(createLog(config, manualClock(), (line) => lines.push(line)));
  return lines;
}

/** Like errors from the PostgreSQL driver, which carry the row's values. */
const databaseFault = () =>
  Object.assign(new TypeError('duplicate key', { cause: new Error('the first cause') }), {
    code: '23505',
    detail: 'Key (token_hash)=(TOPSECRET) already exists.',
    parameters: ['TOPSECRET'],
  });

test('as text, an error has time, level, message and the stacks of all causes', () => {
  const [line] = logged({ level: 'info', format: 'text' }, (log) =>
    log.error({ err: databaseFault() }, 'The scheduler met a fault:'),
  );
  expect(line).toMatch(
    /^2026-01-01T00:00:00\.000Z ERROR The scheduler met a fault: TypeError: duplicate key\n +at [\s\S]*the first cause/,
  );
  expect(line).not.toContain('TOPSECRET');
});

test('as JSON, an error is one line with type and code, without further properties', () => {
  const lines = logged({ level: 'info', format: 'json' }, (log) =>
    log.error({ err: databaseFault() }, 'The scheduler met a fault:'),
  );
  expect(lines.join('')).not.toMatch(/TOPSECRET|\n/);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: 'error',
      time: '2026-01-01T00:00:00.000Z',
      msg: 'The scheduler met a fault:',
      err: {
        type: 'TypeError',
        message: expect.stringContaining('duplicate key'),
        code: '23505',
        stack: expect.stringContaining('the first cause'),
      },
    },
  ]);
});

test.each([
  ['access_token=TOPSECRET', 'access_token=<redacted>'],
  ['Authorization: Bearer TOPSECRET', 'Authorization: Bearer <redacted>'],
  ['{"password":"TOPSECRET","x":1}', '{"password":"<redacted>","x":1}'],
  ['the first line\ntoken=TOPSECRET', 'the first line\ntoken=<redacted>'],
  ['token:\nTOPSECRET', 'token:\n<redacted>'],
  ['GET /x?a=1&login_token=TOPSECRET&b=2 failed', 'GET /x?a=1&login_token=<redacted>&b=2 failed'],
  ['got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln for a', 'got <redacted> for a'],
  ['at check (/server/passwords.ts:55:12)', 'at check (/server/passwords.ts:55:12)'],
])('in %s, secrets are redacted', (text, shown) => {
  const [asText] = logged({ level: 'info', format: 'text' }, (log) => log.warn(text));
  expect(asText).toBe(`2026-01-01T00:00:00.000Z WARN ${shown}`);
  const [asJson = ''] = logged({ level: 'info', format: 'json' }, (log) => log.warn(text));
  expect(JSON.parse(asJson).msg).toBe(shown);
});

test('lower levels are left out', () => {
  const lines = logged({ level: 'warn', format: 'text' }, (log) => {
    log.info('too little');
    log.warn('enough');
  });
  expect(lines).toEqual(['2026-01-01T00:00:00.000Z WARN enough']);
});

const secretNames = fc.constantFrom(
  'token',
  'mac',
  'session',
  'Authorization',
  'password',
  'bearer',
  '"jwt"',
);
const betweens = fc.constantFrom(
  ':',
  '=',
  ' ',
  '\n',
  '\t',
  '\u0001',
  '\\',
  '"',
  "'",
  ':\n   at',
  ': "',
  '\\u00',
  'x',
);

test('logging never throws, and JSON stays valid', () => {
  const pieces = fc.array(fc.oneof(secretNames, betweens, betweens, fc.string()), { maxLength: 8 });
  const texts = pieces.map((some) => some.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      for (const format of ['text', 'json'] as const) {
        const lines = logged({ level: 'info', format }, (log) => log.error({ err: new Error(text) }, text));
        expect(lines).toHaveLength(1);
        if (format === 'json') expect(JSON.parse(lines[0] ?? '').level).toBe('error');
        else expect(lines[0]).toMatch(/^2026-01-01T00:00:00.000Z ERROR /);
      }
    }),
    { numRuns: 300 },
  );
});
