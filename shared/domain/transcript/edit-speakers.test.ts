import { expect, test } from 'vitest';
import type { SpeechLanguage } from '../languages.ts';
import { applyChange, type Change } from './change.ts';
import { addSpeaker, renameSpeaker } from './edit-speakers.ts';
import type { Transcript } from './transcript.ts';

const transcriptIn = (language: SpeechLanguage): Transcript => ({
  language,
  durationMs: 1000,
  speakers: [{ id: 'a', name: "So'fi" }],
  segments: [],
});
const namesAfter = (transcript: Transcript, change: Change) => {
  const applied = applyChange(transcript, change);
  return applied.ok ? applied.value.transcript.speakers.map(({ name }) => name) : [];
};

test.each([
  ['uz', 'Gʻulnora Oʻktamova', 'Sanʼat'],
  ['en', "G'ulnora O’ktamova", "San'at"],
] as const)(
  'a name that is given to a speaker is spelt in the letters of Uzbek where %s is spoken',
  (language, first, second) => {
    const transcript = transcriptIn(language);
    const renamed = renameSpeaker(transcript, 'a', " G'ulnora  O’ktamova");
    expect(renamed.ok && namesAfter(transcript, renamed.value)).toEqual([first]);
    const added = addSpeaker(transcript, 'b', "San'at");
    expect(added.ok && namesAfter(transcript, added.value)).toEqual(["So'fi", second]);
  },
);

test('a name that is left as it was keeps its spelling', () => {
  const transcript = transcriptIn('uz');
  expect(renameSpeaker(transcript, 'a', "So'fi").ok).toBe(false);
  const coloured = renameSpeaker(transcript, 'a', "So'fi", 3);
  expect(coloured.ok && namesAfter(transcript, coloured.value)).toEqual(["So'fi"]);
});
