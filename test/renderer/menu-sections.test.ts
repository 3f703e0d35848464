import { expect, test } from 'vitest';
import { haveSections } from '../../renderer/actions/bar/sections.ts';
import { catalogue } from '../../renderer/actions/catalogue/catalogue.ts';

test('each user and room action has a menu section', () => {
  const without = catalogue
    .filter(({ group }) => group === 'user' || group === 'room')
    .filter((action) => !haveSections([{ action, items: [], remote: 0, known: {} }]));
  expect(without.map(({ id }) => id)).toEqual([]);
});
