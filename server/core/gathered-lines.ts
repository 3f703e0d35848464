/**
 * Lines on their way to a stream that is written on the spot: a log has one for each request, and to write it
 * would cost more than the request. Lines wait for each other for a moment, and none is left behind at the end.
 */

/** How long the first line waits for others, in milliseconds. */
const gathering = 20;
/** As many bytes are written without waiting for more. */
const enough = 65_536;
const newline = 0x0a;
/** A character of a text has up to so many bytes. */
const widest = 3;

/** @param write takes whole lines, at once: the bytes are others afterwards */
export function gatherLines(write: (lines: Uint8Array) => void): (line: string) => void {
  // Bytes and no text: what waits for so long would otherwise be moved to where memory is seldom freed.
  const gathered = Buffer.allocUnsafeSlow(enough);
  let end = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const lines = gathered.subarray(0, end);
    end = 0;
    if (lines.length > 0) write(lines);
  }
  process.on('exit', flush);

  return (line) => {
    const most = line.length * widest + 1;
    if (end + most > enough) flush();
    if (most > enough) {
      write(Buffer.from(`${line}\n`));
      return;
    }
    // Without its end: the line is kept elsewhere, and to be written makes one piece of the many that it was put
    // together from.
    end += gathered.write(line, end);
    gathered[end++] = newline;
    timer ??= setTimeout(flush, gathering).unref();
  };
}
