import { type KeyboardEvent, useRef } from 'react';

/** What is typed after such a pause begins anew. */
const pauseMs = 1000;

/**
 * What is typed in an open menu leads to the first item that begins with it. A space is a character like the others,
 * and chooses nothing: that is what Enter does. One letter again and again goes through the items that begin with it.
 */
export function useTypedWords() {
  const typed = useRef({ text: '', at: 0 });
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, timeStamp, ctrlKey, metaKey, altKey } = event;
    if (key.length > 1 || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    const before = timeStamp - typed.current.at < pauseMs ? typed.current.text : '';
    const text = (before + key).toLowerCase().trimStart();
    typed.current = { text, at: timeStamp };
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const isOneLetter = text !== '' && new Set(text).size === 1;
    const next = isOneLetter ? items.indexOf(document.activeElement as HTMLElement) + 1 : 0;
    const begins = (item: HTMLElement) =>
      item.textContent.toLowerCase().startsWith(isOneLetter ? key.toLowerCase() : text);
    if (text) [...items.slice(next), ...items.slice(0, next)].find(begins)?.focus();
  };
}
