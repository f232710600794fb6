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
  setPeaks(pyramid: PeakPyramid | null): void;
  setRegions(regions: readonly WaveformRegion[]): void;
  /** The region being played and the text after its name; -1 for none. */
  setCurrent(region: number, note: string): void;
  /** What is cut out of the audio, and what a search would cut; both ordered. */
  setSpans(struck: readonly TimeSpan[], found: readonly TimeSpan[]): void;
  /** Frequencies instead of loudness, where available; null for loudness everywhere. */
  setSpectrum(picture: SpectrumPicture | null): void;
  /** In CSS pixels. */
  width(): number;
  setDuration(durationMs: number): void;
  /** Zooms a lane so that about this much is visible; an overview always shows everything. */
  setVisible(visibleMs: number): void;
  /** Scrolls a time to the left part of a lane. */
  scrollTo(timeMs: number): void;
  scrollBy(pixels: number): void;
  span(): WaveformSpan;
  onSpan(listener: (span: WaveformSpan) => void): () => void;
  dispose(): void;
}

interface WaveformViewOptions {
  readonly kind: 'lane' | 'overview';
  /** Where wavesurfer puts its scrolling part, playhead and pointer handling. */
  readonly host: HTMLElement;
  /** Where the picture is painted, behind the host. */
  readonly surface: HTMLElement;
  readonly player: Player;
  /** The recording that the player has open or is about to open. */
  readonly url: string;
  readonly durationMs: number;
  readonly timeCode: (ms: number) => string;
}

/** wavesurfer needs samples before it lays out its time axis; the picture itself comes from our painter. */
const noSamples: [Float32Array] = [new Float32Array(2)];

/** A waveform on wavesurfer.js: its axis, scrolling, zoom, playhead and seeking; our peaks and regions painted behind. */
export function createWaveformView(options: WaveformViewOptions): WaveformView {
  const { kind, host, surface, player, timeCode } = options;
  const scope = new Scope();
  // Wavesurfer sets the element's source, and leaves it alone only if it is the same already.
  const url = new URL(options.url, document.baseURI).href;
  let duration = Math.max(1, options.durationMs);
  let visible = duration;
  let pyramid: PeakPyramid | null = null;
  let regions = indexRegions([]);
  let given: readonly WaveformRegion[] = [];
  let current = -1;
  let currentNote = '';
  let struck: readonly TimeSpan[] = [];
  let found: readonly TimeSpan[] = [];
  let spectrum: SpectrumPicture | null = null;
  const listeners = new Set<(span: WaveformSpan) => void>();

  const wavesurfer = WaveSurfer.create({
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
  scope.add(() => {
    wavesurfer.destroy();
  });

  // Chromium makes anything scrollable focusable; the lane's own slider already serves the keyboard.
  const scroller = wavesurfer.getWrapper().parentElement;
  if (scroller !== null) scroller.tabIndex = -1;

  const scrollWidth = () => wavesurfer.getWrapper().clientWidth;
  const span = (): WaveformSpan => {
    const whole = scrollWidth();
    if (kind === 'overview' || whole === 0) return { fromMs: 0, toMs: duration };
    const fromMs = (wavesurfer.getScroll() / whole) * duration;
    return { fromMs, toMs: Math.min(duration, fromMs + (wavesurfer.getWidth() / whole) * duration) };
  };
  const painter = wavesurfer.registerPlugin(
    new WaveformPainter({
      surface,
      picture: () => ({ kind, ...span(), pyramid, regions, current, currentNote, struck, found, spectrum, timeCode }),
    }),
  );
  const tellSpan = () => {
    const now = span();
    for (const listener of listeners) listener(now);
  };
  const applyZoom = () => {
    if (wavesurfer.getDecodedData() === null) return;
    // Everything fits at every width; a scale from the width would leave some pixels to scroll.
    const isWhole = kind === 'overview' || visible >= duration - 1;
    wavesurfer.zoom(isWhole ? 0 : wavesurfer.getWidth() / (visible / 1000));
  };
  for (const event of ['scroll', 'redraw', 'zoom'] as const) scope.add(wavesurfer.on(event, tellSpan));
  for (const event of ['ready', 'resize'] as const) scope.add(wavesurfer.on(event, applyZoom));
  // A view that is made while the player stands somewhere begins there, not at 0.
  scope.add(
    wavesurfer.on('ready', () => {
      player.element.dispatchEvent(new Event('timeupdate'));
    }),
  );
  // Wavesurfer moves its playhead when a jump is over, which takes a moment on a busy machine. The time is the new one
  // from the start of the jump on.
  scope.listen(player.element, 'seeking', () => {
    player.element.dispatchEvent(new Event('timeupdate'));
  });

  return {
    setPeaks(next) {
      pyramid = next;
      painter.repaint();
    },
    setRegions(next) {
      // Typing changes segments, but nothing that is drawn of them.
      if (isSameList(next, given)) return;
      given = next;
      regions = indexRegions(next);
      painter.repaint();
    },
    setCurrent(region, note) {
      if (region === current && note === currentNote) return;
      current = region;
      currentNote = note;
      painter.repaint();
    },
    setSpans(nextStruck, nextFound) {
      if (isSameList(nextStruck, struck) && isSameList(nextFound, found)) return;
      struck = nextStruck;
      found = nextFound;
      painter.repaint();
    },
    setSpectrum(next) {
      spectrum?.bitmap?.close();
      spectrum = next;
      painter.repaint();
    },
    width: () => wavesurfer.getWidth(),
    setDuration(durationMs) {
      const next = Math.max(1, durationMs);
      if (next === duration) return;
      if (visible === duration) visible = next;
      duration = next;
      // Changing only its options would keep the old time axis. The source is the same, so nothing is fetched again; a
      // load that a newer one overtakes is no failure.
      wavesurfer.load(url, noSamples, duration / 1000).catch(() => undefined);
    },
    setVisible(visibleMs) {
      visible = visibleMs;
      applyZoom();
    },
    scrollTo(timeMs) {
      const lead = 0.12 * wavesurfer.getWidth();
      wavesurfer.setScroll((timeMs / duration) * scrollWidth() - lead);
    },
    scrollBy(pixels) {
      wavesurfer.setScroll(wavesurfer.getScroll() + pixels);
    },
    span,
    onSpan(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose() {
      scope.dispose();
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
