/** Without what is mistaken for something else when it is read out. */
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const groups = 5;
const perGroup = 5;

/** A password that nobody guesses (more than 140 bits), in groups that can be read out. */
export function newPassword(): string {
  const group = () => Array.from({ length: perGroup }, oneLetter).join('');
  return Array.from({ length: groups }, group).join('-');
}

function oneLetter(): string {
  // Beyond the last whole multiple some letters would come more often than others.
  const beyond = 256 - (256 % letters.length);
  for (;;) {
    const [byte = beyond] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < beyond) return letters[byte % letters.length] ?? '';
  }
}
