/**
 * Lines on their way to a stream that is written on the spot: a log has one for each request, and to write it
 * would cost more than the request. Lines wait for each other for a moment, and none is left behind at the end.
 */

/** How long the first line waits for others, in milliseconds. */
const gathering = 20;
/** As many characters are written without waiting for more. */
const enough = 65_536;

/** @param write takes whole lines, at once */
export function gatherLines(write: (lines: string) => void): (line: string) => void {
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const lines = gathered;
    gathered = '';
    if (lines !== '') write(lines);
  }
  process.on('exit', flush);

  return (line) => {
    gathered += `${line}\n`;
    if (gathered.length >= enough) flush();
    else timer ??= setTimeout(flush, gathering).unref();
  };
}
