/** What people say: the content of ordinary `m.room.message` events. */
import type { JsonObject } from '../../shared/api/common.ts';

export const text = (body: string): JsonObject => ({ msgtype: 'm.text', body });

export const formatted = (body: string, formattedBody: string): JsonObject => ({
  msgtype: 'm.text',
  body,
  format: 'org.matrix.custom.html',
  formatted_body: formattedBody,
});

const emote = (body: string): JsonObject => ({ msgtype: 'm.emote', body });

const sentences = [
  'Good morning, everyone.',
  'Has anyone seen the notes from last week?',
  'The tram was late again, I will be ten minutes behind.',
  'That worked, thank you!',
  'I can bring the projector on Thursday.',
  'Which version are you on?',
  'Try turning encryption off for that room and on again… no, wait, you can’t.',
  'Photos from the walk are up.',
  'I disagree, but I see your point.',
  'Selling a blue touring bike, 54 cm frame, barely used.',
  'Is the server slow for you, too?',
  'It is my turn to bring cake.',
  'We could meet at seven instead.',
  'Please read the pinned message first.',
  'The link in the topic is dead.',
  'Who moved the meeting?',
  'Happy birthday, Inês! 🎉',
  'Thanks for the quick answer.',
  'I will be away until Monday.',
  'The new headphones are surprisingly good.',
  'Here is what I tried:\n1. restarted\n2. cleared the cache\n3. gave up',
  'Спасибо за помощь!',
  'شكرا جزيلا',
  '明日の集まりは何時ですか？',
];

/** Ordinary messages, plain and formatted. */
export const ordinaryMessages: JsonObject[] = [
  ...sentences.map(text),
  formatted('Remember: **no** spoilers.', 'Remember: <strong>no</strong> spoilers.'),
  formatted(
    'Config that works for me: `port: 8008`',
    '<p>Config that works for me:</p><pre><code class="language-yaml">port: 8008\n</code></pre>',
  ),
  formatted('> It is broken.\n\nSame here.', '<blockquote>It is broken.</blockquote><p>Same here.</p>'),
  formatted(
    '* milk\n* bread\n* a new keyboard',
    '<ul><li>milk</li><li>bread</li><li>a <em>new</em> keyboard</li></ul>',
  ),
  formatted(
    'The guide is at https://example.org/guide',
    'The guide is at <a href="https://example.org/guide">example.org/guide</a>',
  ),
  emote('waves'),
  emote('is looking for the coffee'),
];
