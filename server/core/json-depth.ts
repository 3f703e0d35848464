/** Whether JSON text is nested deeper than so many objects and arrays. Doesn't parse it. */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === backslash) index++;
      else if (unit === quote) inString = false;
    } else if (unit === quote) inString = true;
    else if (opens(unit)) {
      if (++depth > limit) return true;
    } else if (closes(unit)) depth--;
  }
  return false;
}

const [quote, backslash] = [0x22, 0x5c];
const opens = (unit: number) => unit === 0x5b || unit === 0x7b;
const closes = (unit: number) => unit === 0x5d || unit === 0x7d;
