import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import WaveSurfer from 'wavesurfer.js';
import { Scope } from '../../lib/scope.ts';
import type { PeakPyramid } from '../peaks/peak-pyramid.ts';
import type { SpectrumPicture } from '../spectrum.ts';
import type { Player } from '../player.ts';
import { WaveformPainter } from './waveform-painter.ts';
import { indexRegions, type WaveformRegion } from './waveform-regions.ts';

/** The visible stretch of the recording. */
export interface WaveformSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface WaveformView {
  /**
   * Paints where `surface` is, before the next frame; the returned function takes it away again. `host` is before the
   * surface, and is where wavesurfer puts its scrolling part, playhead and pointer handling when it is connected.
   */
  mount(places: { readonly surface: HTMLElement; readonly host: HTMLElement }): () => void;
  /** Makes what answers the pointer and moves the playhead, which takes longer than the first picture. */
  connect(): void;
  setPeaks(pyramid: PeakPyramid | null): void;
  setRegions(regions: readonly WaveformRegion[]): void;
  /** The region being played and the text after its name; -1 for none. */
  setCurrent(region: number, note: string): void;
  /** How times are written, to the millisecond. */
  setTimeCode(timeCode: (ms: number) => string): void;
  /** What is cut out of the audio, and what a search would cut; both ordered. */
  setSpans(unheard: readonly TimeSpan[], found: readonly TimeSpan[]): void;
  /** Frequencies instead of loudness, where available; null for loudness everywhere. */
  setSpectrum(picture: SpectrumPicture | null): void;
  /** In CSS pixels. */
  width(): number;
  setDuration(durationMs: number): void;
  /**
   * Zooms a lane so that about this much is visible; an overview always shows everything. The time `aroundMs` stays where it
   * is: the one at the pointer, otherwise the playhead if it is in view, otherwise the middle.
   */
  setVisible(visibleMs: number, aroundMs?: number): void;
  /** Scrolls a time to the left part of a lane. */
  scrollTo(timeMs: number): void;
  scrollBy(pixels: number): void;
  span(): WaveformSpan;
  onSpan(listener: (span: WaveformSpan) => void): () => void;
}

interface WaveformViewOptions {
  readonly kind: 'lane' | 'overview';
  readonly player: Player;
  /** The recording that the player has open or is about to open. */
  readonly url: string;
  readonly durationMs: number;
}

interface Mounted {
  readonly surface: HTMLElement;
  readonly host: HTMLElement;
  readonly painter: WaveformPainter;
  readonly scope: Scope;
}

/** The part of a lane that is left of the time that it is scrolled to. */
const lead = 0.12;

/** wavesurfer needs samples before it lays out its time axis; the picture itself comes from our painter. */
const noSamples: [Float32Array] = [new Float32Array(2)];

/** A waveform on wavesurfer.js: its axis, scrolling, zoom, playhead and seeking; our peaks and regions painted behind. */
export function createWaveformView(options: WaveformViewOptions): WaveformView {
  const { kind, player } = options;
  // Wavesurfer sets the element's source, and leaves it alone only if it is the same already.
  const url = new URL(options.url, document.baseURI).href;
  let duration = Math.max(1, options.durationMs);
  let visible = duration;
  let pyramid: PeakPyramid | null = null;
  /** The peaks of the last picture: whether all that it shows had come, and the loudest, by which they are amplified. */
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
  /** Wavesurfer's, once it is laid out. */
  let axis: WaveSurfer | null = null;
  /** Where a lane begins until then; later, where it began before its width changed. */
  let firstMs = 0;
  /** The width that it is laid out for. */
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
  const repaint = () => {
    mounted?.painter.repaint();
  };
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
    scope.add(() => {
      made.destroy();
    });
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
    // Wavesurfer moves its playhead when a jump is over, which takes a moment on a busy machine. The time is the new one
    // from the start of the jump on.
    scope.listen(player.element, 'seeking', () => {
      player.element.dispatchEvent(new Event('timeupdate'));
    });
  };
  return {
    mount({ surface, host }) {
      const scope = new Scope();
      const painter = new WaveformPainter(surface, picture);
      mounted = { surface, host, scope, painter };
      scope.add(() => {
        painter.dispose();
        [mounted, wavesurfer, axis] = [null, null, null];
      });
      return () => {
        scope.dispose();
      };
    },
    connect() {
      if (mounted !== null && wavesurfer === null) connect(mounted);
    },
    setPeaks(next) {
      pyramid = next;
      // Peaks that come later leave the beginning of a long recording as it is.
      if (next !== null && painted?.pyramid === next && painted.isWhole && painted.loudest === next.loudest) return;
      repaint();
    },
    setRegions(next) {
      // Typing changes segments, but nothing that is drawn of them.
      if (isSameList(next, given)) return;
      given = next;
      regions = indexRegions(next);
      repaint();
    },
    setCurrent(region, note) {
      if (region === current && note === currentNote) return;
      current = region;
      currentNote = note;
      repaint();
    },
    setTimeCode(next) {
      timeCode = next;
      repaint();
    },
    setSpans(nextUnheard, nextFound) {
      if (isSameList(nextUnheard, unheard) && isSameList(nextFound, found)) return;
      unheard = nextUnheard;
      found = nextFound;
      repaint();
    },
    setSpectrum(next) {
      spectrum?.bitmap?.close();
      spectrum = next;
      repaint();
    },
    width,
    setDuration(durationMs) {
      const next = Math.max(1, durationMs);
      if (next === duration) return;
      if (visible === duration) visible = next;
      duration = next;
      tellSpan();
      // Changing only its options would keep the old time axis. The source is the same, so nothing is fetched again; a
      // load that a newer one overtakes is no failure.
      wavesurfer?.load(url, noSamples, duration / 1000).catch(() => undefined);
    },
    setVisible(visibleMs, aroundMs) {
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
    scrollTo(timeMs) {
      beginAt(timeMs - lead * visible);
    },
    scrollBy(pixels) {
      if (axis === null) beginAt(span().fromMs + (pixels / Math.max(1, width())) * visible);
      else axis.setScroll(axis.getScroll() + pixels);
    },
    span,
    onSpan(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
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
