import WaveSurfer from 'wavesurfer.js';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { listenIn } from '../../lib/listen-in.ts';
import { Scope } from '../../lib/scope.ts';
import type { PeakPyramid } from '../peaks/peak-pyramid.ts';
import type { Player } from '../player.ts';
import type { SpectrumPicture } from '../spectrum.ts';
import { paintWaveform, type WaveformPicture, readColours, type WaveformColours } from './paint-waveform.ts';
import { indexRegions, type WaveformRegion } from './waveform-regions.ts';

/** Painted at most once a frame: thousands of segments cost nothing. */
class WaveformPainter {
  readonly #life = new Scope();
  readonly #canvas = document.createElement('canvas');
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
    const repaint = () => this.repaint();
    const sizes = new ResizeObserver(repaint);
    sizes.observe(surface);
    this.#life.add(() => sizes.disconnect());
    const recolour = () => {
      this.#colours = null;
      this.repaint();
    };
    for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'])
      this.#life.listen(matchMedia(query), 'change', recolour);
    const theme = new MutationObserver(recolour);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
    this.#life.add(() => theme.disconnect());
    this.#life.listen(document.fonts, 'loadingdone', repaint);
    this.repaint();
  }

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

export interface WaveformSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export type WaveformView = ReturnType<typeof createWaveformView>;

interface WaveformViewOptions {
  readonly kind: 'lane' | 'overview';
  readonly player: Player;
  readonly url: string;
  readonly durationMs: number;
}

interface Mounted {
  readonly surface: HTMLElement;
  readonly host: HTMLElement;
  readonly painter: WaveformPainter;
  readonly scope: Scope;
}

const lead = 0.12;

/** Wavesurfer needs samples before it lays out its time axis; the picture comes from our painter. */
const noSamples: [Float32Array] = [new Float32Array(2)];

export function createWaveformView(options: WaveformViewOptions) {
  const { kind, player } = options;
  // Wavesurfer leaves the element's source alone only if it is the same already.
  const url = new URL(options.url, document.baseURI).href;
  let duration = Math.max(1, options.durationMs);
  let visible = duration;
  let pyramid: PeakPyramid | null = null;
  /** Whether all that it showed had come, and the loudest, by which it was amplified. */
  let painted: { readonly pyramid: PeakPyramid; readonly isWhole: boolean; readonly loudest: number } | null = null;
  let regions = indexRegions([]);
  let given: readonly WaveformRegion[] = [];
  let current = -1;
  let currentNote = '';
  let timeCode: (ms: number) => string = String;
  let unheard: readonly TimeSpan[] = [];
  let found: readonly TimeSpan[] = [];
  let spectrum: SpectrumPicture | null = null;
  const listeners = new Set<(span: WaveformSpan) => void>();

  let mounted: Mounted | null = null;
  let wavesurfer: WaveSurfer | null = null;
  let axis: WaveSurfer | null = null;
  let firstMs = 0;
  let laidOutFor = 0;

  const span = (): WaveformSpan => {
    if (kind === 'overview') return { fromMs: 0, toMs: duration };
    if (axis === null) {
      // The recording may have turned out to be shorter than its text.
      const fromMs = Math.max(0, Math.min(duration - visible, firstMs));
      return { fromMs, toMs: Math.min(duration, fromMs + visible) };
    }
    const whole = axis.getWrapper().clientWidth;
    if (whole === 0) return { fromMs: 0, toMs: duration };
    const fromMs = (axis.getScroll() / whole) * duration;
    return { fromMs, toMs: Math.min(duration, fromMs + (axis.getWidth() / whole) * duration) };
  };
  const picture = () => {
    const { fromMs, toMs } = span();
    painted = pyramid && { pyramid, isWhole: pyramid.durationMs >= toMs, loudest: pyramid.loudest };
    return { kind, fromMs, toMs, pyramid, regions, current, currentNote, unheard, found, spectrum, timeCode };
  };
  const repaint = () => mounted?.painter.repaint();
  const tellSpan = () => {
    repaint();
    const now = span();
    if (axis?.getWidth() === laidOutFor) firstMs = now.fromMs;
    for (const listener of listeners) listener(now);
  };
  const applyZoom = () => {
    if (axis === null) {
      tellSpan();
      return;
    }
    // While another length is laid out; it is zoomed then.
    if (axis.getDecodedData() === null) return;
    // Everything fits at every width; a scale from the width would leave some pixels to scroll.
    const isWhole = kind === 'overview' || visible >= duration - 1;
    laidOutFor = axis.getWidth();
    axis.zoom(isWhole ? 0 : laidOutFor / (visible / 1000));
  };
  const beginAt = (timeMs: number) => {
    firstMs = timeMs;
    if (axis === null) tellSpan();
    else axis.setScroll((timeMs / duration) * axis.getWrapper().clientWidth);
  };
  const width = () => mounted?.surface.clientWidth ?? 0;
  const connect = ({ host, scope }: Mounted) => {
    const made = WaveSurfer.create({
      container: host,
      media: player.element,
      url,
      peaks: noSamples,
      duration: duration / 1000,
      // Wavesurfer's own canvases stay empty: nothing is allocated for a height of 0.
      height: 0,
      renderFunction: () => undefined,
      hideScrollbar: true,
      autoScroll: false,
      autoCenter: false,
      cursorWidth: 2,
      cursorColor: 'var(--playhead)',
      // Dragging over a lane selects a range (the lane's own pointer handling).
      dragToSeek: kind === 'overview' && { debounceTime: 0 },
      ...cspNonce(),
    });
    wavesurfer = made;
    scope.add(() => made.destroy());
    // Chromium makes anything scrollable focusable; the lane's own slider already serves the keyboard.
    const scroller = made.getWrapper().parentElement;
    if (scroller !== null) scroller.tabIndex = -1;
    for (const event of ['scroll', 'redraw', 'zoom'] as const) scope.add(made.on(event, tellSpan));
    scope.add(
      made.on('resize', () => {
        // Wavesurfer keeps the playhead where it is, which may be hours away from what was shown.
        const fromMs = firstMs;
        applyZoom();
        beginAt(fromMs);
      }),
    );
    scope.add(
      made.on('ready', () => {
        const { fromMs } = span();
        const isFirst = axis === null;
        axis = made;
        applyZoom();
        if (isFirst) beginAt(fromMs);
        // The playhead begins where the player stands, not at 0.
        player.element.dispatchEvent(new Event('timeupdate'));
      }),
    );
    // Wavesurfer moves its playhead only when a jump is over.
    scope.listen(player.element, 'seeking', () => player.element.dispatchEvent(new Event('timeupdate')));
  };
  return {
    /** `host`, before the surface, is where wavesurfer puts its playhead and pointer handling. */
    mount({ surface, host }: Pick<Mounted, 'surface' | 'host'>) {
      const scope = new Scope();
      const painter = new WaveformPainter(surface, picture);
      mounted = { surface, host, scope, painter };
      scope.add(() => {
        painter.dispose();
        [mounted, wavesurfer, axis] = [null, null, null];
      });
      return () => scope.dispose();
    },
    /** Makes what answers the pointer and moves the playhead, which takes longer than the first picture. */
    connect() {
      if (mounted !== null && wavesurfer === null) connect(mounted);
    },
    setPeaks(next: PeakPyramid | null) {
      pyramid = next;
      // Peaks that come later leave the beginning of a long recording as it is.
      if (next !== null && painted?.pyramid === next && painted.isWhole && painted.loudest === next.loudest) return;
      repaint();
    },
    setRegions(next: readonly WaveformRegion[]) {
      // Typing changes segments, but nothing that is drawn of them.
      if (isSameList(next, given)) return;
      given = next;
      regions = indexRegions(next);
      repaint();
    },
    setCurrent(region: number, note: string) {
      if (region === current && note === currentNote) return;
      current = region;
      currentNote = note;
      repaint();
    },
    setTimeCode(next: (ms: number) => string) {
      timeCode = next;
      repaint();
    },
    setSpans(nextUnheard: readonly TimeSpan[], nextFound: readonly TimeSpan[]) {
      if (isSameList(nextUnheard, unheard) && isSameList(nextFound, found)) return;
      unheard = nextUnheard;
      found = nextFound;
      repaint();
    },
    setSpectrum(next: SpectrumPicture | null) {
      spectrum?.bitmap?.close();
      spectrum = next;
      repaint();
    },
    width,
    setDuration(durationMs: number) {
      const next = Math.max(1, durationMs);
      if (next === duration) return;
      if (visible === duration) visible = next;
      duration = next;
      tellSpan();
      // Its options alone would keep the old time axis; a load that a newer one overtakes is no failure.
      wavesurfer?.load(url, noSamples, duration / 1000).catch(() => undefined);
    },
    /** `aroundMs` stays where it is: by default the playhead if it is in view, otherwise the middle. */
    setVisible(visibleMs: number, aroundMs?: number) {
      const { fromMs, toMs } = span();
      const isSame = visibleMs === visible;
      visible = visibleMs;
      if (isSame && axis !== null) return;
      applyZoom();
      if (axis === null) return;
      const playheadMs = player.timeMs();
      const isInView = playheadMs >= fromMs && playheadMs <= toMs;
      const kept = aroundMs ?? (isInView ? playheadMs : (fromMs + toMs) / 2);
      const part = (kept - fromMs) / (toMs - fromMs);
      beginAt(kept - part * visible);
    },
    scrollTo: (timeMs: number) => beginAt(timeMs - lead * visible),
    scrollBy(pixels: number) {
      if (axis === null) beginAt(span().fromMs + (pixels / Math.max(1, width())) * visible);
      else axis.setScroll(axis.getScroll() + pixels);
    },
    span,
    onSpan: listenIn(listeners),
  };
}

/** The nonce of this page load: wavesurfer's shadow root needs it for its styles. */
function cspNonce(): { readonly cspNonce?: string } {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  return nonce === undefined || nonce === '' ? {} : { cspNonce: nonce };
}

function isSameList<T extends object>(one: readonly T[], other: readonly T[]): boolean {
  const isSame = (item: T, at: number) => {
    const beside = other[at];
    for (const key in item) if (item[key] !== beside?.[key]) return false;
    return true;
  };
  return one === other || (one.length === other.length && one.every(isSame));
}

type PictureSource = () => Omit<WaveformPicture, 'width' | 'height' | 'colours'>;
