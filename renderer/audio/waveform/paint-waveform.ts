import { clock, rulerMarks, rulerStep } from '../../../shared/domain/time/time-code.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import type { PeakColumns, PeakPyramid } from '../peaks/peak-pyramid.ts';
import type { SpectrumPicture } from '../spectrum.ts';
import { regionOfColumns, regionsBetween, type RegionIndex, type WaveformRegion } from './waveform-regions.ts';

export interface WaveformPicture extends PaintedStretch {
  readonly kind: 'lane' | 'overview';
  readonly pyramid: PeakPyramid | null;
  readonly regions: RegionIndex;
  readonly current: number;
  readonly currentNote: string;
  readonly unheard: readonly TimeSpan[];
  readonly found: readonly TimeSpan[];
  readonly spectrum: SpectrumPicture | null;
  readonly timeCode: (ms: number) => string;
}

const rulerHeight = 26;
const capHeight = 3;
/** Narrower regions, in CSS pixels, have neither round corners nor a label. */
const roundedFrom = 6;
const labelRoom = 18;
/** A quiet recording is amplified for drawing, but noise alone must not fill the lane. */
const mostStretch = 6;

const dotStep = 8;

export function paintWaveform(ctx: CanvasRenderingContext2D, picture: WaveformPicture): void {
  ctx.clearRect(0, 0, picture.width, picture.height);
  if (picture.width < 1 || picture.toMs <= picture.fromMs) return;
  const isLane = picture.kind === 'lane';
  if (isLane) {
    paintRuler(ctx, picture);
    paintRegions(ctx, picture);
  }
  if (isLane && picture.spectrum !== null) paintSpectrum(ctx, picture, picture.spectrum);
  else if (picture.pyramid !== null) paintPeaks(ctx, picture, picture.pyramid, isLane);
  const top = isLane ? rulerHeight : 0;
  paintSpans(ctx, picture, picture.unheard, top, isLane ? 'hatched' : 'veiled');
  paintSpans(ctx, picture, picture.found, top, 'tinted');
  if (isLane) paintLabels(ctx, picture);
}

function paintPeaks(
  ctx: CanvasRenderingContext2D,
  picture: WaveformPicture,
  pyramid: PeakPyramid,
  isLane: boolean,
): void {
  const { fromMs, toMs, colours } = picture;
  const width = Math.floor(picture.width);
  const read = Math.ceil(((pyramid.durationMs - fromMs) / (toMs - fromMs)) * width);
  const known = Math.max(0, Math.min(width, read));
  const top = isLane ? rulerHeight + labelRoom : 4;
  const room = picture.height - top - 4;
  const stretch = Math.min(mostStretch, 1 / Math.max(0.01, pyramid.loudest));
  const middle = top + room / 2;
  paintWave(ctx, picture, pyramid.columns(fromMs, toMs, width), known, { middle, half: (room / 2) * stretch });
  // A line would look like silence.
  ctx.fillStyle = colours.neutral;
  for (let x = Math.ceil(known / dotStep) * dotStep; x < width; x += dotStep) ctx.fillRect(x, middle - 0.5, 1, 1);
}

let ink: OffscreenCanvas | null = null;

/** Newly scrolled parts are not there yet. */
function paintSpectrum(
  ctx: CanvasRenderingContext2D,
  picture: WaveformPicture,
  { bitmap, ...at }: SpectrumPicture,
): void {
  if (bitmap === null) return;
  ink ??= new OffscreenCanvas(1, 1);
  if (ink.width !== bitmap.width || ink.height !== bitmap.height)
    [ink.width, ink.height] = [bitmap.width, bitmap.height];
  const inked = ink.getContext('2d');
  if (inked === null) return;
  inked.globalCompositeOperation = 'copy';
  inked.drawImage(bitmap, 0, 0);
  inked.globalCompositeOperation = 'source-in';
  inked.fillStyle = picture.colours.ink;
  inked.fillRect(0, 0, ink.width, ink.height);
  const { fromMs, toMs, width, height } = picture;
  const perMs = width / (toMs - fromMs);
  const top = rulerHeight + labelRoom;
  ctx.drawImage(ink, (at.fromMs - fromMs) * perMs, top, (at.toMs - at.fromMs) * perMs, height - top);
}

function paintRuler(ctx: CanvasRenderingContext2D, { fromMs, toMs, width, colours, timeCode }: WaveformPicture): void {
  const step = rulerStep(toMs - fromMs, Math.max(2, Math.floor(width / 150)));
  ctx.font = `500 10.5px ${colours.monoFont}`;
  ctx.fillStyle = colours.text;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  for (const mark of rulerMarks(fromMs, toMs, step)) {
    // `00:07.2` where marks stand closer than seconds.
    const words = step < 1000 ? timeCode(mark).slice(0, -2) : clock(mark);
    const half = ctx.measureText(words).width / 2;
    const x = ((mark - fromMs) / (toMs - fromMs)) * width;
    if (x + half <= width) ctx.fillText(words, Math.max(0, x - half), rulerHeight / 2);
  }
}

function paintRegions(ctx: CanvasRenderingContext2D, picture: WaveformPicture): void {
  const { fromMs, toMs, regions } = picture;
  const [first, last] = regionsBetween(regions, fromMs, toMs);
  for (let i = first; i < last; i += 1) {
    const region = regions.regions[i];
    if (region !== undefined && region.endMs > fromMs) paintRegion(ctx, picture, region, i === picture.current);
  }
}

function paintRegion(
  ctx: CanvasRenderingContext2D,
  { fromMs, toMs, width, height, colours }: WaveformPicture,
  region: WaveformRegion,
  isCurrent: boolean,
): void {
  const perMs = width / (toMs - fromMs);
  const x = (region.startMs - fromMs) * perMs;
  // A thin gap separates neighbours where one begins when the other ends.
  const w = Math.max(1, (region.endMs - region.startMs) * perMs - 1);
  const fill = colours.fill[region.colour] ?? colours.neutral;
  const top = rulerHeight;
  if (w < roundedFrom && !isCurrent) {
    // Hundreds of them are visible at once, too small for round corners.
    ctx.fillStyle = fill;
    ctx.globalAlpha = 0.09;
    ctx.fillRect(x, top, w, height - top);
    ctx.globalAlpha = 1;
    ctx.fillRect(x, top, w, capHeight);
    return;
  }
  const box = new Path2D();
  box.roundRect(x, top, w, height - top, Math.min(8, w / 2));
  ctx.save();
  ctx.clip(box);
  ctx.fillStyle = fill;
  ctx.globalAlpha = isCurrent ? 0.14 : 0.09;
  ctx.fillRect(x, top, w, height - top);
  ctx.globalAlpha = 1;
  ctx.fillRect(x, top, w, capHeight);
  if (isCurrent) {
    ctx.strokeStyle = fill;
    ctx.globalAlpha = 0.55;
    ctx.lineWidth = 2;
    ctx.stroke(box);
    ctx.globalAlpha = 1;
  }
  ctx.restore();
}

function paintLabels(ctx: CanvasRenderingContext2D, picture: WaveformPicture): void {
  const { fromMs, toMs, width, regions, colours, current, currentNote } = picture;
  const perMs = width / (toMs - fromMs);
  const [first, last] = regionsBetween(regions, fromMs, toMs);
  for (let i = first; i < last; i += 1) {
    const region = regions.regions[i];
    if (region === undefined || region.endMs <= fromMs) continue;
    const x = (region.startMs - fromMs) * perMs;
    const w = (region.endMs - region.startMs) * perMs - 1;
    if (w < roundedFrom && i !== current) continue;
    paintLabel(ctx, colours, region, i === current ? currentNote : '', Math.max(x, 0) + 7, w + Math.min(x, 0) - 12);
  }
}

/** As many words as there is room for, otherwise the initials, otherwise nothing. */
function paintLabel(
  ctx: CanvasRenderingContext2D,
  colours: WaveformColours,
  { label, isBeginning = false, initials, colour }: WaveformRegion,
  note: string,
  x: number,
  room: number,
): void {
  if (label === '' || room < 8) return;
  ctx.font = `600 11px ${colours.uiFont}`;
  const said = isBeginning ? label.split(' ') : [];
  const fewer = said.slice(1).map((_, at) => `${said.slice(0, said.length - 1 - at).join(' ')}…`);
  const choices = [...(note === '' ? [] : [`${label} · ${note}`]), label, ...fewer, initials];
  const words = choices.find((choice) => ctx.measureText(choice).width <= room);
  if (words === undefined) return;
  ctx.fillStyle = colours.label[colour] ?? colours.text;
  ctx.textBaseline = 'middle';
  ctx.fillText(words, x, rulerHeight + 12);
}

interface Band {
  readonly middle: number;
  readonly half: number;
}

function paintWave(
  ctx: CanvasRenderingContext2D,
  picture: WaveformPicture,
  columns: PeakColumns,
  known: number,
  band: Band,
): void {
  const { fromMs, toMs, regions, colours } = picture;
  const loud = loudShape(columns);
  const owners = regionOfColumns(regions, fromMs, toMs, columns.min.length);
  let start = 0;
  for (let column = 1; column <= known; column += 1) {
    const owner = owners[start] ?? -1;
    if (column < known && colourAt(regions, owners[column] ?? -1) === colourAt(regions, owner)) continue;
    const colour = colourAt(regions, owner);
    ctx.fillStyle = colours.fill[Math.max(0, colour)] ?? colours.neutral;
    const isBetweenSpeech = colour < 0 && regions.regions.length > 0;
    const strength = isBetweenSpeech ? 0.4 : 1;
    ctx.globalAlpha = 0.38 * strength;
    fillRun(ctx, columns.max, columns.min, start, column, band);
    ctx.globalAlpha = strength;
    fillRun(ctx, loud, null, start, column, band);
    start = column;
  }
  ctx.globalAlpha = 1;
}

/** Slightly larger than measured, so that speech stays visible beside its highest peak. */
const loudShape = ({ rms, min, max }: PeakColumns) =>
  rms.map((value, i) => Math.min(value * 1.6, Math.max(max[i] ?? 0, -(min[i] ?? 0))));

/** -1 where nobody speaks, which is fainter than speech without a speaker. */
const colourAt = ({ regions }: RegionIndex, index: number) => (index < 0 ? -1 : (regions[index]?.colour ?? 0));

/** Without a lower curve it mirrors the upper. Never thinner than a pixel. */
function fillRun(
  ctx: CanvasRenderingContext2D,
  upper: Float32Array,
  lower: Float32Array | null,
  from: number,
  to: number,
  { middle, half }: Band,
): void {
  const y = (value: number, least: number) => middle - Math.max(-1, Math.min(1, value)) * half - least;
  ctx.beginPath();
  ctx.moveTo(from, y(upper[from] ?? 0, 0.5));
  for (let i = from; i < to; i += 1) ctx.lineTo(i + 0.5, y(upper[i] ?? 0, 0.5));
  ctx.lineTo(to, y(upper[to - 1] ?? 0, 0.5));
  for (let i = to - 1; i >= from; i -= 1)
    ctx.lineTo(i + 0.5, y(lower === null ? -(upper[i] ?? 0) : (lower[i] ?? 0), -0.5));
  ctx.closePath();
  ctx.fill();
}

interface PaintedStretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly width: number;
  readonly height: number;
  readonly colours: WaveformColours;
}

function paintSpans(
  ctx: CanvasRenderingContext2D,
  { fromMs, toMs, width, height, colours }: PaintedStretch,
  spans: readonly TimeSpan[],
  top: number,
  look: 'veiled' | 'hatched' | 'tinted',
): void {
  const perMs = width / (toMs - fromMs);
  for (const { startMs, endMs } of spans) {
    if (endMs <= fromMs) continue;
    if (startMs >= toMs) break;
    const x = (startMs - fromMs) * perMs;
    const w = Math.max(1, (endMs - startMs) * perMs);
    ctx.fillStyle = look === 'tinted' ? colours.accent : colours.veil;
    ctx.globalAlpha = look === 'tinted' ? 0.28 : 0.72;
    ctx.fillRect(x, top, w, height - top);
    ctx.globalAlpha = 1;
    if (look === 'hatched' && w > 3)
      hatch(ctx, colours.neutral, { x: Math.max(0, x), top, w: Math.min(w, width), height });
  }
}

function hatch(
  ctx: CanvasRenderingContext2D,
  colour: string,
  { x, top, w, height }: { readonly x: number; readonly top: number; readonly w: number; readonly height: number },
): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, top, w, height - top);
  ctx.clip();
  ctx.beginPath();
  // Hatching at multiples of the distance, so that lines stay when a span's start moves.
  for (let at = Math.floor((x - height) / 9) * 9; at < x + w; at += 9) {
    ctx.moveTo(at, height);
    ctx.lineTo(at + height - top, top);
  }
  ctx.strokeStyle = colour;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = 1;
  ctx.stroke();
  ctx.restore();
}

export interface WaveformColours {
  readonly text: string;
  readonly neutral: string;
  readonly ink: string;
  readonly veil: string;
  readonly accent: string;
  /** Index 0 is the neutral one, 1 to 8 are the speakers'. */
  readonly fill: readonly string[];
  readonly label: readonly string[];
  readonly uiFont: string;
  readonly monoFont: string;
}

/** Only the style engine can resolve `light-dark()`, so colours are read from an element. */
export function readColours(host: HTMLElement): WaveformColours {
  const probe = document.createElement('span');
  probe.hidden = true;
  host.append(probe);
  const colour = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const style = getComputedStyle(host);
  const speakers = [1, 2, 3, 4, 5, 6, 7, 8];
  const neutral = colour('--sand-9');
  const colours: WaveformColours = {
    text: colour('--fg-subtle'),
    neutral,
    ink: colour('--fg'),
    veil: colour('--bg-sunken'),
    accent: colour('--accent-line'),
    fill: [neutral, ...speakers.map((n) => colour(`--spk-${String(n)}`))],
    label: [colour('--fg-muted'), ...speakers.map((n) => colour(`--spk-${String(n)}-text`))],
    uiFont: style.getPropertyValue('--font-ui'),
    monoFont: style.getPropertyValue('--font-mono'),
  };
  probe.remove();
  return colours;
}
