export type Chime = 'done' | 'failed';

/** In hertz and seconds. Distinguishable without words and without a file: a fifth up, a third down. */
const notes = {
  done: [
    { pitch: 587.33, at: 0, lasts: 0.22 },
    { pitch: 880, at: 0.11, lasts: 0.36 },
  ],
  failed: [
    { pitch: 392, at: 0, lasts: 0.24 },
    { pitch: 311.13, at: 0.16, lasts: 0.4 },
  ],
};

/** Seconds, with the fade. */
export const chimeLength = (chime: Chime): number =>
  Math.max(...notes[chime].map(({ at, lasts }) => at + lasts)) + 0.02;

/** Well below full scale: audible beside speech that is being played, and never startling. */
const loudness = 0.16;

export function scheduleChime(context: BaseAudioContext, chime: Chime, fromSec: number): void {
  for (const { pitch, at, lasts } of notes[chime]) {
    const begin = fromSec + at;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(loudness, begin + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0005, begin + lasts);
    gain.connect(context.destination);
    for (const [multiple, share] of [
      [1, 0.8],
      [2, 0.2],
    ] as const) {
      const tone = context.createOscillator();
      tone.frequency.value = pitch * multiple;
      const part = context.createGain();
      part.gain.value = share;
      tone.connect(part).connect(gain);
      tone.start(begin);
      tone.stop(begin + lasts);
    }
  }
}

/** Nothing is kept, so that an idle computer's audio device may sleep. */
export async function playChime(chime: Chime): Promise<void> {
  const context = new AudioContext();
  try {
    await context.resume();
    scheduleChime(context, chime, context.currentTime);
    await new Promise<void>((resolve) => {
      const last = context.createConstantSource();
      last.addEventListener('ended', () => resolve());
      last.start();
      last.stop(context.currentTime + chimeLength(chime));
    });
  } finally {
    await context.close();
  }
}
