/** What a program writes that nobody reads any more: its terminal was closed, or whoever read along has ended. */

/** From now on that is lost, and ends nothing: each line would be an error of its own that nobody has caught. */
export function goOnUnread(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
