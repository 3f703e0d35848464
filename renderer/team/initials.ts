/**
 * Returns up to two letters for a user: `@ada.lovelace:example.org` is AL, `@bob:example.org` is BO. If a colleague has
 * the same, the second letter is the first one in which the names differ: `@modanna` is MA, `@modben` is MB.
 */
export function initialsOf(userId: string, colleagues: readonly string[] = []): string {
  const own = usualInitials(userId);
  const alike = colleagues.filter((other) => other !== userId && usualInitials(other) === own);
  if (alike.length === 0) return own;
  const [first = '?', ...letters] = lettersOf(userId);
  const second = letters.find((letter, index) =>
    alike.every((other) => lettersOf(other)[index + 1] !== letter),
  );
  return second === undefined ? own : `${first}${second}`.toUpperCase();
}

function usualInitials(userId: string): string {
  const [first = '', second = ''] = localpartOf(userId).split(notInNames).filter(Boolean);
  const initials = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2);
  return (initials.join('') || '?').toUpperCase();
}

const notInNames = /[^\p{L}\p{N}]+/u;
const localpartOf = (userId: string) => userId.replace(/^@/, '').split(':', 1)[0] ?? '';
const lettersOf = (userId: string) => [...localpartOf(userId).split(notInNames).join('')];
