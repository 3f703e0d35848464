/** The app's mark as a data address of a PNG: drawn where the shell is built. */
declare module 'virtual:mark.png' {
  const mark: string;
  export default mark;
}
