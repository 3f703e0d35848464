/** Reply fallbacks: quoted lines that older clients put before a reply. */
import { expect, test } from 'vitest';
import { messageContent, readLocation } from '../../renderer/components/event/message-content.ts';

const plain = (body: string) => ({ msgtype: 'm.text', body });
const html = (formattedBody: string) => ({
  ...plain('plain'),
  format: 'org.matrix.custom.html',
  formatted_body: formattedBody,
});
const answer = { 'm.relates_to': { 'm.in_reply_to': { event_id: '$asked' } } };

test.each([
  ['without a reply', plain('> <@ada:x> quoted\n\nrest')],
  ['without a quoted user', { ...plain('> quoted\n\nrest'), ...answer }],
  ['without other text', { ...plain('> <@ada:x> quoted\n> rest'), ...answer }],
  [
    'of a thread that answers for older apps only',
    {
      ...plain('> <@ada:x> quoted\n\nrest'),
      'm.relates_to': {
        ...answer['m.relates_to'],
        rel_type: 'm.thread',
        event_id: '$root',
        is_falling_back: true,
      },
    },
  ],
  ['formatted, without a reply', html('<mx-reply>quoted</mx-reply>rest')],
  ['formatted, behind the beginning', { ...html('rest <mx-reply>quoted</mx-reply>'), ...answer }],
  ['formatted, without an end', { ...html('<mx-reply>quoted rest'), ...answer }],
])('lines similar to a reply fallback stay: %s', (_, content) => {
  const { body } = content;
  const formatted = 'formatted_body' in content ? content.formatted_body : undefined;
  expect(messageContent(content)).toMatchObject({
    body,
    html: formatted,
    quote: undefined,
    quoteHtml: undefined,
  });
});

test('the reply fallback is split off in both formats', () => {
  const content = {
    ...html('<mx-reply><blockquote>formatted</blockquote></mx-reply>yes'),
    body: '> <@ada:x> plain\n> of two lines\n\nyes',
    ...answer,
  };
  expect(messageContent(content)).toMatchObject({
    body: 'yes',
    html: 'yes',
    quote: '> <@ada:x> plain\n> of two lines',
    quoteHtml: '<blockquote>formatted</blockquote>',
  });
});

test.each([
  [
    'the older field',
    { geo_uri: 'geo:1.5,2' },
    { coordinates: { latitude: 1.5, longitude: 2 }, isSelf: false },
  ],
  [
    'the newer fields of a pin',
    { 'm.location': { uri: 'geo:1.5,2', description: 'Here' }, 'm.asset': { type: 'm.pin' } },
    { coordinates: { latitude: 1.5, longitude: 2 }, description: 'Here', isSelf: false },
  ],
  [
    "the unstable fields of the sender's own place",
    {
      'org.matrix.msc3488.location': { uri: 'geo:91,2' },
      'org.matrix.msc3488.asset': { type: 'm.self' },
      'org.matrix.msc3488.ts': 7,
    },
    { uri: 'geo:91,2', isSelf: true, at: 7 },
  ],
])('a location has %s', (_, content, expected) => {
  expect(readLocation(content)).toMatchObject(expected);
});
