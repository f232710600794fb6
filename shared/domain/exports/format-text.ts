import type { Speaker } from '../transcript/transcript.ts';

// oxlint-disable-next-line no-control-regex
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/gu;
const unseen =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/gu;

/** Most lines consist of letters, digits and punctuation with single spaces between them, and stay unchanged. */
const isClean = /^[\p{L}\p{N}\p{P}]+(?: [\p{L}\p{N}\p{P}]+)*$/u;

/**
 * Text for exports: on one line, single spaces, without terminal sequences, NUL and characters that turn the reading
 * direction (S-46). Joiners inside emoji and scripts stay.
 */
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

/** The colours of speakers in the editor's light and dark theme: at least 4.5:1 on white and on black. */
const colours = {
  paper: ['#004e9d', '#8a5700', '#b41548', '#007355', '#6558a8', '#5f2a10', '#635c00', '#226a86'],
  video: ['#9ebbff', '#fdc200', '#f4748f', '#4edbb5', '#b698cb', '#c69870', '#ecf2a1', '#dcf3ff'],
} as const;

/** 1 to 8: the chosen one, or the one of the position in the list. */
export const colourNumber = ({ colour }: Speaker, place: number): number => colour ?? (place % 8) + 1;

/** `#rrggbb` of a number from `colourNumber`. */
export const colourOf = (number: number, ground: keyof typeof colours): string =>
  colours[ground][number - 1] ?? colours[ground][0];
