/** Without characters that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const groups = 5;
const perGroup = 5;

/** Generates a password with more than 140 bits of entropy, in readable groups. */
export function newPassword(): string {
  const group = () => Array.from({ length: perGroup }, randomLetter).join('');
  return Array.from({ length: groups }, group).join('-');
}

function randomLetter(): string {
  // Rejection sampling avoids modulo bias.
  const limit = 256 - (256 % alphabet.length);
  for (;;) {
    const [byte = limit] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < limit) return alphabet[byte % alphabet.length] ?? '';
  }
}
