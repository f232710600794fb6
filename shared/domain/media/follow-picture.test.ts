import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { followAudio, isVideoName } from './follow-picture.ts';

const everyMs = 200;

it('from anywhere, a picture is within a tenth of a second after two, and stays there', () => {
  forAll(
    fc.integer({ min: -5000, max: 5000 }),
    fc.double({ min: 0.25, max: 3, noNaN: true }),
    fc.double({ min: 0.97, max: 1.03, noNaN: true }),
    fc.integer({ min: 0, max: 90 }),
    (awayMs, rate, drift, seekTakesMs) => {
      let audioMs = 60_000;
      let pictureMs = audioMs + awayMs;
      for (let atMs = 0; atMs < 10_000; atMs += everyMs) {
        const step = followAudio(audioMs, pictureMs, { isPlaying: true, rate });
        if (step.kind === 'seek') pictureMs = step.toMs + (everyMs - seekTakesMs) * rate * drift;
        else pictureMs += everyMs * step.rate * drift;
        audioMs += everyMs * rate;
        if (atMs >= 2000) expect(Math.abs(audioMs - pictureMs)).toBeLessThan(100);
      }
    },
  );
});

it('a picture that stands is put to the very frame, and neither runs nor hurries', () => {
  forAll(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 0, max: 9000 }), (audioMs, pictureMs) => {
    const step = followAudio(audioMs, pictureMs, { isPlaying: false, rate: 1.5 });
    expect(step).toEqual(
      Math.abs(audioMs - pictureMs) > 20 ? { kind: 'seek', toMs: audioMs } : { kind: 'rate', rate: 1.5 },
    );
  });
});

it('a name tells a video from other recordings', () => {
  expect(['a.MP4', 'b.webm', 'c.m2ts', 'd.mp3', 'e.m4a', 'mp4'].map(isVideoName)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
