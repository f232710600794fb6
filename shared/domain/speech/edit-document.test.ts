import { expect, it } from 'vitest';
import {
  withDefaults,
  withImport,
  withMerge,
  withOtherVoice,
  withSplit,
  withText,
  withWords,
} from './edit-document.ts';
import { cuesOfSubtitles } from './import-text.ts';
import { foreignBlocks, withTake } from './blocks.ts';
import { emptyDocument, requestsOf, titleOf } from './speech-document.ts';

const newId = () => crypto.randomUUID();
const empty = emptyDocument('a', { language: 'en', voiceId: 'voice_a', otherVoices: {}, speed: 1 });
const one = withText(empty, 'One is here. Two is here.\n\nThree is here.', newId);

it('a sentence is edited in place or removed, and the others stay unchanged', () => {
  const [first, second, third] = one.blocks;
  const edited = withWords(one, second?.id ?? '', 'Two was there.', newId);
  expect(edited.text).toBe('One is here. Two was there.\n\nThree is here.');
  expect([edited.blocks[0], edited.blocks[2]]).toEqual([first, third]);
  expect(withWords(one, first?.id ?? '', ' ', newId).text).toBe('Two is here.\n\nThree is here.');
  expect(withWords(one, 'gone', 'x', newId)).toBe(one);
});

it('a file is inserted at the cursor, as a paragraph of its own', () => {
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

it('undo restores the voice of another language with its sentences', () => {
  const mixed = withText(empty, 'Please keep your ticket. Мы уже готовы.', newId);
  const voiced = withOtherVoice(mixed, 'ru', 'voice_vera');
  expect(voiced.blocks.map(({ language }) => language)).toEqual([null, 'ru']);
  const kept = withOtherVoice(voiced, 'ru', '');
  expect(kept.blocks.map(({ language }) => language)).toEqual([null, null]);
  expect(foreignBlocks(kept.blocks, kept.defaults)).toEqual([]);
  // The question is open again for the voice of another language.
  expect(withDefaults(kept, { language: 'uz', voiceId: 'voice_lola' }, newId).defaults.otherVoices).toEqual({});
});

it('a sentence is split at the cursor or after a clause, and joining restores it', () => {
  const long = withText(empty, 'First we read the text, then we listen to it. Then we go.', newId);
  const [own, other] = long.blocks;
  const heard = {
    ...long,
    blocks: long.blocks.map((block) => ({ ...withTake(block, `take of ${block.text}`), speed: 1.2 })),
  };
  const split = withSplit(heard, { blockId: own?.id ?? '' }, newId);
  expect(split.blocks.map(({ text }) => text)).toEqual([
    'First we read the text,',
    'then we listen to it.',
    'Then we go.',
  ]);
  expect(split.blocks.map(({ speed, takeIds }) => [speed, takeIds.length])).toEqual([
    [1.2, 1],
    [1.2, 0],
    [1.2, 1],
  ]);
  expect(split.blocks[2]).toBe(heard.blocks[1]);
  const again = withMerge(split, own?.id ?? '', newId);
  expect(again.text).toBe(long.text);
  expect(again.blocks.map(({ id }) => id)).toEqual([own?.id, other?.id]);
  expect(withSplit(heard, { at: 11 }, newId).blocks.map(({ text }) => text)).toEqual([
    'First we',
    'read the text, then we listen to it.',
    'Then we go.',
  ]);
});

it('sentences are joined across any border, are spoken without the marks, keep their takes and can be split there again', () => {
  const heard = { ...one, blocks: one.blocks.map((block) => withTake(block, `take of ${block.text}`)) };
  const joined = withMerge(heard, heard.blocks[1]?.id ?? '', newId);
  expect(requestsOf(joined).map(({ text }) => text)).toEqual(['One is here.', 'Two is here. Three is here.']);
  expect(joined.blocks[1]?.takeIds).toEqual(['take of Two is here.', 'take of Three is here.']);
  const twice = withMerge(joined, joined.blocks[0]?.id ?? '', newId);
  expect(requestsOf(twice).map(({ text }) => text)).toEqual(['One is here. Two is here. Three is here.']);
  expect(titleOf(twice)).toBe('One is here. Two is here. Three is here.');
  const at = twice.text.indexOf('Two');
  expect(withSplit(twice, { at }, newId).blocks.map(({ text }) => text.length)).toEqual([12, 28]);
  expect(withMerge(twice, twice.blocks[0]?.id ?? '', newId)).toBe(twice);
  expect(withSplit(withText(empty, 'One.', newId), { at: 2 }, newId).text).toBe('One.');
});
