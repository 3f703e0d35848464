/** The versions of an edited event: content from other servers is hostile. */
import { expect, test } from 'vitest';
import {
  bundledEdit,
  editedEvent,
  redactionOf,
  versionAt,
  versionsOf,
} from '../../renderer/components/event/event-versions.ts';

const base = {
  event_id: '$base',
  type: 'm.room.message',
  sender: '@eve:x',
  origin_server_ts: 10,
  content: { body: 'one' },
};
const edit = (id: string, at: number, body: string) => ({
  event_id: id,
  type: 'm.room.message',
  sender: '@eve:x',
  origin_server_ts: at,
  content: {
    body: `* ${body}`,
    'm.new_content': { body },
    'm.relates_to': { rel_type: 'm.replace', event_id: '$base' },
  },
});
const second = edit('$2', 20, 'two');
const third = edit('$3', 30, 'three');
const bodies = (events: object[]) => versionsOf(base, events as never).map(({ content }) => content.body);

test('versions are in the order of their times, each once', () => {
  expect(versionsOf(base, [third, second, second])).toEqual([
    { eventId: '$base', at: 10, content: { body: 'one' } },
    { eventId: '$2', at: 20, content: { body: 'two' } },
    { eventId: '$3', at: 30, content: { body: 'three' } },
  ]);
});

test.each([
  ['of another sender', { ...second, sender: '@bob:x' }],
  ['of another type', { ...second, type: 'm.sticker' }],
  ['with a state key', { ...second, state_key: '' }],
  ['of another event', { ...second, content: { ...second.content, 'm.relates_to': { event_id: '$base' } } }],
  ['without new content', { ...second, content: { ...second.content, 'm.new_content': 'two' } }],
  ['without content', { ...second, content: null }],
])('an edit %s is none', (_, event) => {
  expect(bodies([event])).toEqual(['one']);
});

test('an event without content has an empty version', () => {
  expect(versionsOf({ event_id: '$base' }, [])).toEqual([{ eventId: '$base', at: undefined, content: {} }]);
});

test.each([
  [0, 'one'],
  [10, 'one'],
  [19, 'one'],
  [20, 'two'],
  [29, 'two'],
  [30, 'three'],
  [1000, 'three'],
])('at %d, the version %s was visible', (time, body) => {
  expect(versionAt(versionsOf(base, [second, third]), time)?.content.body).toBe(body);
});

test('an edit names the event that it replaces, and no other relation does', () => {
  expect(editedEvent(second)).toBe('$base');
  const related = (relation: unknown) => editedEvent({ content: { 'm.relates_to': relation } } as never);
  expect(related({ rel_type: 'm.thread', event_id: '$base' })).toBeUndefined();
  expect(related({ rel_type: 'm.replace', event_id: 7 })).toBeUndefined();
  expect(related('m.replace')).toBeUndefined();
});

test('the latest edit is bundled with the event, if it is one', () => {
  const bundled = (relations: unknown) => bundledEdit({ unsigned: { 'm.relations': relations } } as never);
  expect(bundled({ 'm.replace': second })).toBe(second);
  expect([bundled({}), bundled({ 'm.replace': 'no' }), bundledEdit(base)]).toEqual(Array(3).fill(undefined));
});

test.each<[string, object, object | undefined]>([
  ['not redacted', {}, undefined],
  [
    'redacted, with the redaction',
    { redacted_because: { content: { reason: 'spam' } } },
    { content: { reason: 'spam' } },
  ],
  ['redacted, by an unknown event', { redacted_by: '$r' }, {}],
  ['redacted, with something else', { redacted_because: 'spam' }, {}],
])('an event that is %s', (_, unsigned, redaction) => {
  expect(redactionOf({ unsigned } as never)).toEqual(redaction);
});
