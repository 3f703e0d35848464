/** A page as text, whatever it says of its encoding. */

/** Where a page may say it itself, in bytes from its beginning. */
const prescanned = 1024;

/** @param contentType of the reply that the page came with */
export function pageText(content: Buffer, contentType: string): string {
  const stated = /charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType)?.[1];
  const encoding = byteOrderOf(content) ?? stated ?? encodingIn(content) ?? 'utf-8';
  try {
    return new TextDecoder(encoding).decode(content);
  } catch {
    // One that nobody knows.
    return content.toString('utf8');
  }
}

function byteOrderOf(content: Buffer): string | undefined {
  const start = content.toString('hex', 0, 3);
  if (start === 'efbbbf') return 'utf-8';
  if (start.startsWith('fffe')) return 'utf-16le';
  return start.startsWith('feff') ? 'utf-16be' : undefined;
}

function encodingIn(content: Buffer): string | undefined {
  const beginning = content.toString('latin1', 0, prescanned);
  const [, named] = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(beginning) ?? [];
  const [, declared] = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(beginning) ?? [];
  return named ?? declared;
}
