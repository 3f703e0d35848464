declare module 'virtual:mark.png' {
  /** The mark at 16 points, for displays of each density; sizes in pixels, pictures as data addresses of PNG. */
  const mark: { scaleFactor: number; width: number; height: number; dataURL: string }[];
  export default mark;
}
