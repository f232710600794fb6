/** Hertz, from one pitch to the other: up when the microphone goes on, down when it goes off. */
const pitches = { start: [523.25, 783.99], stop: [659.25, 392] } as const;
const lastsS = 0.09;
const loudness = 0.08;

/** A short sound that tells whether the microphone is on, for whoever does not look. */
export function playCue(cue: keyof typeof pitches): void {
  const context = new AudioContext();
  const gain = context.createGain();
  gain.connect(context.destination);
  const [from, to] = pitches[cue];
  const tone = context.createOscillator();
  const now = context.currentTime;
  tone.frequency.setValueAtTime(from, now);
  tone.frequency.setValueAtTime(to, now + lastsS / 2);
  gain.gain.setValueAtTime(loudness, now);
  gain.gain.exponentialRampToValueAtTime(0.0001, now + lastsS);
  tone.connect(gain);
  tone.start(now);
  tone.stop(now + lastsS);
  tone.addEventListener('ended', () => void context.close());
}
