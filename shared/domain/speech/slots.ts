import type { SpeechBlock } from './blocks.ts';
import { withoutMarks } from './split-text.ts';

/** A delay that is not noticeable. */
export const slotSlackMs = 80;
const leastSpeed = 0.5;
const mostSpeed = 2;

/**
 * Blocks with the times of the cues they came from. A cue with several sentences is divided among them by length, and
 * each gets the speed at which it ends in time: by `lengthMs` at speed 1, in steps of 0.05, and never slower than the
 * text.
 */
export function withCues(
  blocks: readonly SpeechBlock[],
  cues: readonly { readonly startMs: number; readonly endMs: number; readonly text: string }[],
  { speed, lengthMs }: { readonly speed: number; readonly lengthMs: (text: string) => number },
): readonly SpeechBlock[] {
  const lettersIn = (text: string) => withoutMarks(text).replaceAll(/\s+/gu, '').length;
  const left = [...cues];
  let used = 0;
  return blocks.map((block) => {
    const [cue] = left;
    if (cue === undefined) return block;
    const whole = Math.max(1, lettersIn(cue.text));
    const from = used;
    used += lettersIn(block.text);
    const at = (letters: number) =>
      Math.round(cue.startMs + ((cue.endMs - cue.startMs) * Math.min(whole, letters)) / whole);
    const slot = { startMs: at(from), endMs: at(used) };
    if (used >= whole) {
      left.shift();
      used = 0;
    }
    return fitToSlot({ ...block, slot }, speed, lengthMs(block.text));
  });
}

/** The block with the speed at which it ends in time; `lengthMs` is its length at speed 1. */
function fitToSlot(block: SpeechBlock, usualSpeed: number, lengthMs: number): SpeechBlock {
  if (block.slot === null || block.slot === undefined || block.isLocked) return block;
  const room = Math.max(1, block.slot.endMs - block.slot.startMs);
  const needed = Math.ceil((lengthMs / room) * 20 - 1e-9) / 20;
  const speed = Math.max(leastSpeed, Math.min(mostSpeed, Math.max(usualSpeed, needed)));
  return { ...block, speed: speed === usualSpeed ? null : speed };
}

/** Blocks whose audio is longer than their time get the speed that fits; `takeOf` gives their audio by index. */
export const withFit = (
  blocks: readonly SpeechBlock[],
  usualSpeed: number,
  takeOf: (index: number) => { readonly durationMs: number | null; readonly speed: number } | null,
): readonly SpeechBlock[] =>
  blocks.map((block, index) => {
    const take = takeOf(index);
    if (take === null || take.durationMs === null) return block;
    const room = (block.slot?.endMs ?? Infinity) - (block.slot?.startMs ?? 0);
    return take.durationMs <= room + slotSlackMs ? block : fitToSlot(block, usualSpeed, take.durationMs * take.speed);
  });
