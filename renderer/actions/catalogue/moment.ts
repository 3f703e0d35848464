/** What a field for a moment holds, in milliseconds since the Unix epoch; undefined while that is none. */
export const momentOf = (value: unknown): number | undefined => {
  const time = new Date(String(value)).getTime();
  return Number.isNaN(time) ? undefined : time;
};
