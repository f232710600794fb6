import { expect, it } from 'vitest';
import { withImport, withOtherVoice, withText, withWords } from './edit-document.ts';
import { cuesOfSubtitles } from './import-text.ts';
import { emptyDocument } from './speech-document.ts';

const newId = () => crypto.randomUUID();
const empty = emptyDocument('a', { language: 'en', voiceId: 'voice_a', otherVoices: {}, speed: 1 });
const one = withText(empty, 'One is here. Two is here.\n\nThree is here.', newId);

it('a sentence is edited in its place or taken out, and the others stay as they are', () => {
  const [first, second, third] = one.blocks;
  const edited = withWords(one, second?.id ?? '', 'Two was there.', newId);
  expect(edited.text).toBe('One is here. Two was there.\n\nThree is here.');
  expect([edited.blocks[0], edited.blocks[2]]).toEqual([first, third]);
  expect(withWords(one, first?.id ?? '', ' ', newId).text).toBe('Two is here.\n\nThree is here.');
  expect(withWords(one, 'gone', 'x', newId)).toBe(one);
});

it('a file goes to where the cursor is, with a paragraph around it', () => {
  const file = { name: 'b.txt', text: 'From a file.', cues: null };
  const put = withImport(one, file, { at: 12 }, { newId, pace: undefined });
  expect(put.text).toBe('One is here.\n\nFrom a file.\n\nTwo is here.\n\nThree is here.');
  expect(put.title).toBe('');
  expect(withImport(empty, file, 'whole', { newId, pace: undefined })).toMatchObject({
    text: 'From a file.',
    title: 'b',
  });
});

it('subtitles keep their times, and a cue with many words for its time is spoken faster from the start', () => {
  const cues = cuesOfSubtitles(
    '1\n00:00:01,000 --> 00:00:05,000\nShort one.\n\n2\n00:00:06,000 --> 00:00:07,000\nThis has far more words than a second.\n\n3\n00:00:08,000 --> 00:00:12,000\nFirst half. Other half.\n',
  );
  expect(cues).toHaveLength(3);
  const { blocks } = withImport(empty, { name: 'c.srt', text: '', cues }, 'whole', { newId, pace: 20 });
  expect(blocks.map(({ slot, speed }) => [slot?.startMs, slot?.endMs, speed])).toEqual([
    [1000, 5000, null],
    [6000, 7000, 1.9],
    [8000, 10_000, null],
    [10_000, 12_000, null],
  ]);
});

it('the voice of another language is taken back with its sentences', () => {
  const mixed = withText(empty, 'Please keep your ticket. Мы уже готовы.', newId);
  const voiced = withOtherVoice(mixed, 'ru', 'voice_vera');
  expect(voiced.blocks.map(({ language }) => language)).toEqual([null, 'ru']);
  expect(withOtherVoice(voiced, 'ru', null).blocks.map(({ language }) => language)).toEqual([null, null]);
});
