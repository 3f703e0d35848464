declare module 'virtual:mark.png' {
  /** The logo at 16 points for each display density; sizes in pixels, images as PNG data URLs. */
  const mark: { scaleFactor: number; width: number; height: number; dataURL: string }[];
  export default mark;
}
