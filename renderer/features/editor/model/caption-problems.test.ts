import { expect, it } from 'vitest';
import { standardProfile } from '../../../../shared/domain/subtitles/profiles.ts';
import { toTranscript } from '../../../../shared/domain/transcript/from-received.ts';
import { applyChange } from '../../../../shared/domain/transcript/change.ts';
import { captionProblems, mendCaptions } from './caption-problems.ts';

const said = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs, words: [] });

it('a segment too fast to read is reported with its speed and the limit of the profile; others are not', () => {
  const transcript = toTranscript(
    {
      text: '',
      segments: [
        said('Adras naqsh boʻyoq.', 0, 4000),
        said('Bu gapni oʻqib ulgurish uchun vaqt juda ham kam berilgan.', 5000, 6000),
        said('Rahmat katta.', 9000, 11_000),
      ],
    },
    { language: 'uz', durationMs: 12_000 },
  );
  const problems = captionProblems(transcript, { ...standardProfile('uz'), charactersPerSecond: 17 });
  expect([...problems.keys()]).toEqual(['s2']);
  const tooFast = problems.get('s2')?.find(({ kind }) => kind === 'too-fast');
  expect(tooFast?.limit).toBe(17);
  expect(tooFast?.is).toBeGreaterThan(17);
});

it('a caption too short to read gets the silence before it, and its other words keep their times', () => {
  const transcript = toTranscript(
    {
      text: '',
      segments: [
        said('Adras naqsh boʻyoq.', 0, 4000),
        said('Bu gap tez oʻqiladi.', 5200, 6200),
        said('Rahmat katta.', 6300, 8000),
      ],
    },
    { language: 'uz', durationMs: 12_000 },
  );
  const profile = { ...standardProfile('uz'), charactersPerSecond: 17, splitsAtSentences: true };
  const change = mendCaptions(transcript, captionProblems(transcript, profile).get('s2') ?? []);
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  const { transcript: after } = applied.value;
  expect(captionProblems(after, profile).size).toBe(0);
  expect(after.segments[1]?.words.slice(1, -1)).toEqual(transcript.segments[1]?.words.slice(1, -1));
  expect(after.segments[0]).toEqual(transcript.segments[0]);
});
