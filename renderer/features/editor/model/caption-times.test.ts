import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../tests/support/for-all.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import { captionTimes } from '../ui/export/read-captions.ts';

const durationMs = 60_000;
const transcript = toTranscript({ text: '', segments: [] }, { language: 'uz', durationMs });

const ms = fc.integer({ min: 0, max: durationMs });
const cuts = fc
  .uniqueArray(ms, { maxLength: 12 })
  .map((moments) => moments.toSorted((a, b) => a - b))
  .map((sorted) => sorted.flatMap((endMs, at) => (at % 2 === 0 ? [] : [{ startMs: sorted[at - 1] ?? 0, endMs }])));

it('a moment that is heard is found again in the recording from its time in the file, whatever was cut', () => {
  forAll(cuts, ms, ms, fc.boolean(), (spans, one, other, followsCuts) => {
    const isHeard = (at: number) => !spans.some(({ startMs, endMs }) => at >= startMs && at < endMs);
    const [startMs, lastMs] = one < other ? [one, other] : [other, one];
    fc.pre(!followsCuts || (isHeard(startMs) && isHeard(lastMs)));
    const times = captionTimes({ ...transcript, cuts: spans }, { offsetMs: 3_600_000, followsCuts });
    const inFile = { startMs: times.inFile(startMs), endMs: times.inFile(lastMs) + 1 };
    expect(times.inRecording(inFile)).toEqual({ startMs, endMs: lastMs + 1 });
  });
});
