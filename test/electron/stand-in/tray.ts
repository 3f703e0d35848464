/** `Tray` and `nativeImage`: the tray icon and its image. */
import { theApp } from './app.ts';
import { LoudEmitter, loud } from './loud.ts';
import type { MenuItem } from './menu.ts';

type Image = { width: number; height: number };

type Representation = Image & { scaleFactor: number; dataURL: string };

const png = /^data:image\/png;base64,iVBORw0KGgo/;

/** An image with one representation per scale factor. */
class NativeImage {
  readonly #size: Image;
  readonly scales: number[] = [];

  constructor(size: Image) {
    this.#size = size;
  }

  getSize = () => (this.scales.includes(1) ? { width: 16, height: 16 } : this.#size);

  addRepresentation({ scaleFactor, width, height, dataURL }: Representation): void {
    // Electron drops images that it can't decode.
    if (!png.test(dataURL)) throw new Error('The stand-in reads images as PNG only');
    const head = Buffer.from(dataURL.slice(dataURL.indexOf(',') + 1), 'base64');
    const [drawnWidth, drawnHeight] = [head.readUInt32BE(16), head.readUInt32BE(20)];
    if (drawnWidth !== width || drawnHeight !== height || width !== 16 * scaleFactor) {
      throw new Error(
        `A picture of ${drawnWidth} pixels is not one for ${scaleFactor} times the usual density`,
      );
    }
    this.scales.push(scaleFactor);
  }
}

const image = (size: Image) => loud('NativeImage', new NativeImage(size));

export const nativeImage = loud('nativeImage', {
  createEmpty: () => image({ width: 0, height: 0 }),
  createFromDataURL(address: string) {
    const png = Buffer.from(address.replace('data:image/png;base64,', ''), 'base64');
    return image({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });
  },
  createFromBitmap(pixels: Buffer, { width, height }: Image) {
    if (pixels.length !== width * height * 4) throw new Error('A bitmap has four bytes for each pixel');
    return image({ width, height });
  },
});

class TrayIcon extends LoudEmitter {
  toolTip = '';
  menu: MenuItem[] = [];
  readonly scales: readonly number[];

  constructor(icon: NativeImage) {
    super('Tray', ['click']);
    if (!theApp.isReady()) throw new Error('Cannot create Tray before app is ready');
    if (icon.getSize().width !== 16) throw new Error('An icon of the tray is 16 pixels wide');
    this.scales = icon.scales;
    trays.add(this);
    // biome-ignore lint/correctness/noConstructorReturn: missing members have to fail loudly
    return loud<TrayIcon>('Tray', this);
  }

  setToolTip(text: string): void {
    this.#check();
    this.toolTip = text;
  }

  setContextMenu(menu: MenuItem[]): void {
    this.#check();
    this.menu = menu;
  }

  destroy(): void {
    trays.delete(this);
  }

  #check(): void {
    if (!trays.has(this)) throw new Error('Tray is destroyed');
  }
}

/** All existing tray icons. */
export const trays = new Set<TrayIcon>();
export const Tray = TrayIcon;
