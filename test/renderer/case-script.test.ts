import { expect, test } from 'vitest';
import { scriptOf } from '../../renderer/features/reports/cases/script.ts';

test.each([
  ['Buy now at example.org', 'latin'],
  ['Купи сейчас: https://evil.example/buy-now-and-save-a-lot', 'cyrillic'],
  ['Привет @mallory-the-very-latin-name:example.org', 'cyrillic'],
  ['اشتر الآن', 'arabic'],
  ['现在购买', 'chinese'],
  ['今すぐ購入', 'japanese'],
  ['지금 구매', 'korean'],
  ['अभी खरीदें', 'devanagari'],
  ['קנה עכשיו', 'hebrew'],
  ['αγόρασε τώρα', 'greek'],
  ['ซื้อเลย', 'thai'],
  ['გიყიდი ახლა', 'other'],
  ['LOL да ладно тебе', 'cyrillic'],
  ['12:30 🙂 !!', undefined],
  ['', undefined],
])('%s is %s', (text, script) => {
  expect(scriptOf(text)).toBe(script);
});
