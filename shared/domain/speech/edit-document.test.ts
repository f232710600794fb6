import { expect, it } from 'vitest';
import { withMerge, withSplit, withText, withWords } from './edit-document.ts';
import { withTake } from './blocks.ts';
import { emptyDocument, requestsOf } from './speech-document.ts';
import { textOfMarkdown, textOfSubtitles, textOfWordXml } from './import-text.ts';

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

it('sentences are joined across any border, are spoken without the marks, keep their takes and can be split there again', () => {
  const heard = { ...one, blocks: one.blocks.map((block) => withTake(block, `take of ${block.text}`)) };
  const joined = withMerge(heard, heard.blocks[1]?.id ?? '', newId);
  expect(requestsOf(joined).map(({ text }) => text)).toEqual(['One is here.', 'Two is here. Three is here.']);
  expect(joined.blocks[1]?.takeIds).toEqual(['take of Two is here.', 'take of Three is here.']);
  const twice = withMerge(joined, joined.blocks[0]?.id ?? '', newId);
  expect(requestsOf(twice).map(({ text }) => text)).toEqual(['One is here. Two is here. Three is here.']);
  const at = twice.text.indexOf('Two');
  expect(withSplit(twice, { at }, newId).blocks.map(({ text }) => text.length)).toEqual([12, 28]);
  expect(withMerge(twice, twice.blocks[0]?.id ?? '', newId)).toBe(twice);
  expect(withSplit(withText(empty, 'One.', newId), { at: 2 }, newId).text).toBe('One.');
});

it('a Markdown file is read without its markup', () => {
  const markdown =
    '---\ntitle: x\n---\n# Birinchi zal\n\nBu *qadimiy* [mato](https://a.uz), **ipak**\nva paxta.\n\n- bir\n- ikki\n';
  expect(textOfMarkdown(markdown)).toBe('Birinchi zal\n\nBu qadimiy mato, ipak va paxta.\n\nbir\n\nikki');
});

it('subtitles give their words, and a sentence across two cues is one', () => {
  const srt =
    '1\n00:00:01,000 --> 00:00:02,000\n<i>Salom,</i>\n\n2\n00:00:02,500 --> 00:00:03,000\ndoʻstlar.\n\n3\n00:00:04,000 --> 00:00:05,000\n2026\nyil keldi.\n';
  expect(textOfSubtitles(srt)).toBe('Salom, doʻstlar.\n2026 yil keldi.');
});

it('a Word document gives its paragraphs, without deleted text', () => {
  const xml =
    '<w:document><w:body><w:p><w:r><w:t>Bir</w:t></w:r><w:r><w:t xml:space="preserve"> &amp; ikki</w:t></w:r></w:p><w:p><w:del w:id="1"><w:r><w:delText>yoʻq</w:delText></w:r></w:del><w:r><w:t>Uch&#8217;</w:t><w:br/><w:t>toʻrt</w:t></w:r></w:p></w:body></w:document>';
  expect(textOfWordXml(xml)).toBe('Bir & ikki\nUch’\ntoʻrt');
});
