import type { Speaker } from '../transcript/transcript.ts';

const padded = (length: 2 | 3) =>
  Array.from({ length: 10 ** length }, (_, value) => String(value).padStart(length, '0'));
/** Two times stand in each of thousands of cues. */
const [twoFigures, threeFigures] = [padded(2), padded(3)];

const two = (value: number): string => twoFigures[Math.floor(value)] ?? String(Math.floor(value));

/** `01:02:03,004` (SRT) or `01:02:03.004` (VTT). Hours take more digits when they need them. */
export const subtitleTime = (ms: number, separator: ',' | '.'): string =>
  `${clockTime(ms)}${separator}${threeFigures[ms % 1000] ?? String(ms % 1000).padStart(3, '0')}`;

/** `01:02:03`, for people. */
export const clockTime = (ms: number): string =>
  `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;

// oxlint-disable-next-line no-control-regex
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/gu;
const unseen =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/gu;

/** Most lines consist of letters, digits and punctuation with single spaces between them, and stay unchanged. */
const isClean = /^[\p{L}\p{N}\p{P}]+(?: [\p{L}\p{N}\p{P}]+)*$/u;

/** One line with single spaces, without terminal sequences, NUL and changes of direction (S-46); joiners stay. */
export const cleanLine = (text: string): string => (isClean.test(text) ? text : clean(text));

const clean = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(ansi, '')
    .replaceAll(/[\u0085\u2028\u2029\s]+/gu, ' ')
    .replaceAll(unseen, '')
    .replaceAll(/ {2,}/gu, ' ')
    .trim();

/** Text for XML and HTML, also between double quotes. Characters that XML 1.0 forbids are left out. */
export const escapeXml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export const unescapeXml = (text: string): string =>
  text.replaceAll(/&(#x?[\da-f]+|amp|lt|gt|quot|apos);/giu, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole;
    const code = /^#x/iu.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : '';
  });

/** The colours of speakers in the editor's light and dark theme: at least 4.5:1 on white and on black. */
const colours = {
  paper: ['#004e9d', '#8a5700', '#b41548', '#007355', '#6558a8', '#5f2a10', '#635c00', '#226a86'],
  video: ['#9ebbff', '#fdc200', '#f4748f', '#4edbb5', '#b698cb', '#c69870', '#ecf2a1', '#dcf3ff'],
} as const;

export const colourNumber = ({ colour }: Speaker, place: number): number => colour ?? (place % 8) + 1;

export const colourOf = (number: number, ground: keyof typeof colours): string =>
  colours[ground][number - 1] ?? colours[ground][0];
