// oxlint-disable-next-line no-control-regex
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/gu;
const unseen =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/gu;

/** Most lines hold letters, figures and marks with single spaces between them, and stay as they are. */
const isClean = /^[\p{L}\p{N}\p{P}]+(?: [\p{L}\p{N}\p{P}]+)*$/u;

/**
 * Text as it is written into exports: on one line, single spaces, without terminal commands, NUL and characters that
 * turn the reading direction (S-46). Joiners inside emoji and scripts stay.
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
