import { Scope } from '../../lib/scope.ts';
import { paintWaveform, type WaveformPicture } from './paint-waveform.ts';
import { readColours, type WaveformColours } from './waveform-colours.ts';

/** The picture without what the painter determines itself. */
export type PictureSource = () => Omit<WaveformPicture, 'width' | 'height' | 'colours'>;

/** One canvas of the size of its surface, painted at most once a frame: thousands of segments cost nothing. */
export class WaveformPainter {
  readonly #life = new Scope();
  readonly #canvas = document.createElement('canvas');
  /** Positioned by its style sheet; the canvas fills it. */
  readonly #surface: HTMLElement;
  readonly #picture: PictureSource;
  #colours: WaveformColours | null = null;
  #isScheduled = false;

  constructor(surface: HTMLElement, picture: PictureSource) {
    this.#surface = surface;
    this.#picture = picture;
    this.#canvas.ariaHidden = 'true';
    surface.prepend(this.#canvas);
    this.#life.add(() => {
      this.#canvas.remove();
    });
    const repaint = () => {
      this.repaint();
    };
    const sizes = new ResizeObserver(repaint);
    sizes.observe(surface);
    this.#life.add(() => {
      sizes.disconnect();
    });
    const recolour = () => {
      this.#colours = null;
      this.repaint();
    };
    for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']) {
      this.#life.listen(matchMedia(query), 'change', recolour);
    }
    const theme = new MutationObserver(recolour);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
    this.#life.add(() => {
      theme.disconnect();
    });
    this.#life.listen(document.fonts, 'loadingdone', repaint);
    this.repaint();
  }

  /** Paints before the next frame; repeated calls count once. */
  repaint(): void {
    if (this.#isScheduled || this.#life.isDisposed) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      if (!this.#life.isDisposed) this.#paint();
    });
  }

  dispose(): void {
    this.#life.dispose();
  }

  #paint(): void {
    const surface = this.#surface;
    const { clientWidth: width, clientHeight: height } = surface;
    const ratio = window.devicePixelRatio;
    const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.#canvas.width !== pixelWidth || this.#canvas.height !== pixelHeight) {
      this.#canvas.width = pixelWidth;
      this.#canvas.height = pixelHeight;
    }
    const ctx = this.#canvas.getContext('2d');
    if (ctx === null || width === 0) return;
    this.#colours ??= readColours(surface);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintWaveform(ctx, { ...this.#picture(), width, height, colours: this.#colours });
  }
}
